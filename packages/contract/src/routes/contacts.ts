import * as z from 'zod'
import * as cast from '../examples/cast.ts'
import { named, ok } from '../model/envelope.ts'
import {
  atOrNull,
  containerId,
  count,
  limitQuery,
  pageOf,
  pageQuery,
  phoneNumber,
  queryBoolean,
  text,
  uuid,
} from '../model/fields.ts'
import { limits } from '../model/limits.ts'
import { plainText } from '../model/plain-text.ts'
import { route } from '../route.ts'
import { networkErrors } from './direct.ts'

/** Inbound texts that opt a contact out in every organization, in addition to its own keywords. */
export const standardOptOutWords = ['STOP', 'UNSUBSCRIBE'] as const
/** The inbound text that opts a contact in again. */
export const optInWord = 'START'

/** Normalizes an inbound text or an opt-out keyword for the comparison. */
export function optOutWord(text: string): string {
  return plainText(text).trim().toUpperCase()
}

const access = { feature: 'inbox', keys: 'any' } as const

/** One contact (specification, "Chats and contacts"). */
const contact = named('Contact', 'A person that the organization has written with, or imported.', {
  id: z.uuid().describe('The contact.'),
  name: z.string().nullable().describe('Saved name, else network name; null when unknown.'),
  phone: z.string().nullable().describe('Digits; null while the network hides the number.'),
  lid: z.string().nullable().describe('The network id, when known.'),
  saved: z.boolean().describe('Whether the contact is in the address book of a number.'),
  optedOut: z.boolean().describe('Whether the contact refuses campaigns.'),
})
export type Contact = z.infer<typeof contact>

const contactPage = ok({ ...pageOf, contacts: z.array(contact).describe('The contacts of this page.') }).meta({
  id: 'ContactPage',
  description: 'A page of contacts.',
})

const words = z
  .array(
    text(1, limits.optOutWords.length)
      .overwrite(optOutWord)
      .min(1, 'must be more than spaces')
      .refine((word) => word !== optInWord, `${optInWord} opts contacts in and cannot be an opt-out keyword`),
  )
  .max(limits.optOutWords.words)
  .describe('Up to 50 words, compared without regard to case; a repeated word counts once.')

const wordsResponse = ok({
  words: z.array(z.string()).describe("The organization's own words, in capitals. STOP and UNSUBSCRIBE always count."),
}).meta({ id: 'OptOutKeywords', description: 'The opt-out keywords of the organization.' })

export const contacts = {
  /**
   * Finds contacts whose saved name, network name or number contains `search`, the saved ones first, by name. Needs
   * Connect. At most 50 per page. GET /contacts/list lists all.
   */
  search: route('GET /contacts', {
    summary: 'Search contacts',
    access,
    query: z.object({
      search: text(1, limits.search).describe('Part of a name or number, 1 to 100 characters.'),
      page: pageQuery.page,
      limit: limitQuery(limits.contactSearch),
    }),
    response: contactPage,
    example: { input: { search: 'Jane' }, output: { total: 1, page: 1, limit: 10, contacts: [cast.contact] } },
    msgctl: 'msgctl contacts search Jane',
  }),

  /** Lists contacts, the saved ones first, by name. Needs Connect. At most 100 per page. */
  list: route('GET /contacts/list', {
    summary: 'List contacts',
    access,
    query: z.object({
      saved: queryBoolean.optional().describe('Only those in the address book of a number, or only the others.'),
      optedOut: queryBoolean.optional().describe('Only those who refuse campaigns, or only the others.'),
      ...pageQuery,
    }),
    response: contactPage,
    example: { input: { saved: true, limit: 20 }, output: { total: 1, page: 1, limit: 50, contacts: [cast.contact] } },
    msgctl: 'msgctl contacts list --saved',
  }),

  /** Lists the contacts who refuse campaigns, the latest decision first. Needs Connect. At most 100 per page. */
  optOuts: route('GET /contacts/opt-outs', {
    summary: 'List opted-out contacts',
    access,
    query: z.object(pageQuery),
    response: ok({
      ...pageOf,
      optOuts: z
        .array(
          contact
            .extend({ optedAt: atOrNull('When this was decided.') })
            .meta({ id: 'OptOut', description: 'A contact who refuses campaigns.' }),
        )
        .describe('The contacts of this page.'),
    }),
    example: {
      input: { limit: 20 },
      output: { total: 1, page: 1, limit: 50, optOuts: [{ ...cast.contact, optedAt: cast.now }] },
    },
    msgctl: 'msgctl contacts opt-outs',
  }),

  /**
   * Opts up to 10,000 people out of campaigns, such as a list from another program. Those who are no contacts become
   * contacts. Needs Connect. Not for the key of a number, because it applies to every number. Fails with
   * FORBIDDEN_ACTION quota_reached when there are 500,000 contacts (20,000 on trial) that no number knows.
   */
  addOptOuts: route('POST /contacts/opt-outs', {
    summary: 'Opt a list of people out',
    access: { feature: 'inbox', keys: 'account' },
    body: z.object({
      phones: z
        .array(phoneNumber)
        .min(1)
        .max(limits.optOutPhones)
        .describe('1 to 10,000 international numbers; a repeated one counts once.'),
    }),
    response: ok({
      optedOut: count('People who were opted out now.'),
      already: count('People who had opted out before.'),
    }),
    errors: ['FORBIDDEN_ACTION'],
    example: { input: { phones: [cast.jane.typed, cast.jose.typed] }, output: { optedOut: 1, already: 1 } },
  }),

  /** Counts the contacts and shows whether the history is still being imported. Needs Connect. */
  count: route('GET /contacts/count', {
    summary: 'Count contacts',
    access,
    response: ok({
      count: count('Contacts.'),
      historyImportedAt: atOrNull('When recent chats were imported last.'),
      importing: z.boolean().describe('Whether recent chats are being imported now.'),
    }),
    example: { output: { count: 214, historyImportedAt: '2026-10-05T08:20:00.000Z', importing: false } },
    msgctl: 'msgctl contacts count',
  }),

  /** Reads the address book again and imports recent chats in the background. Needs Connect and a connected number. */
  sync: route('POST /contacts/sync', {
    summary: 'Sync contacts',
    access,
    body: z.object({ containerId }),
    response: ok({
      contacts: count('Contacts read.'),
      saved: count('Contacts in the address book.'),
      lidsLinked: count('Contacts whose number and network id were linked.'),
      messagesLinked: count('Messages that now belong to a contact with a number.'),
      importing: z.boolean().describe('Whether recent chats are being imported now.'),
    }),
    errors: ['NO_SESSION_CONFIGURED', 'NOT_FOUND', ...networkErrors],
    example: {
      input: { containerId: cast.support.containerId },
      output: { contacts: 214, saved: 180, lidsLinked: 3, messagesLinked: 12, importing: true },
    },
    msgctl: `msgctl contacts sync --number ${cast.support.label}`,
  }),

  /** Opts a contact out of campaigns, or in again. Needs Connect. */
  update: route('PUT /contacts/:id', {
    summary: 'Opt a contact out or in',
    access,
    params: z.object({ id: uuid.describe('The contact.') }),
    body: z.object({ optedOut: z.boolean().describe('Whether campaigns skip the contact.') }),
    response: ok({ contact }),
    errors: ['NOT_FOUND'],
    example: {
      input: { id: cast.jane.contactId, optedOut: true },
      output: { contact: { ...cast.contact, optedOut: true } },
    },
    msgctl: `msgctl contacts opt-out ${cast.jane.typed}`,
  }),

  /** Lists the organization's own opt-out keywords. Needs Connect. */
  optOutWords: route('GET /contacts/opt-out-words', {
    summary: 'List opt-out keywords',
    access,
    response: wordsResponse,
    example: { output: { words: ['STOP PLEASE', 'NO MORE'] } },
    msgctl: 'msgctl contacts words',
  }),

  /**
   * Replaces the organization's own opt-out keywords; STOP and UNSUBSCRIBE always count. Needs Connect. For owners,
   * admins and the account key, because it applies to every number.
   */
  setOptOutWords: route('PUT /contacts/opt-out-words', {
    summary: 'Replace opt-out keywords',
    access: { feature: 'inbox', keys: 'account', roles: ['owner', 'admin'] },
    body: z.object({ words }),
    response: wordsResponse,
    example: { input: { words: ['stop please', 'no more'] }, output: { words: ['STOP PLEASE', 'NO MORE'] } },
    msgctl: 'msgctl contacts words "stop please" "no more"',
  }),
}
