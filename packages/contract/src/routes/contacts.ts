import * as z from 'zod'
import { endpoints } from '../endpoints.ts'
import { ok } from '../model/envelope.ts'
import { atOrNull, containerId, count, limitQuery, text, uuid } from '../model/fields.ts'
import { limits } from '../model/limits.ts'
import { type Covers, route } from '../route.ts'
import { networkErrors } from './direct.ts'

/** Inbound texts that opt a person out in every organization, beside its own words. */
export const standardOptOutWords = ['STOP', 'UNSUBSCRIBE'] as const
/** The inbound text that lets a person in again. */
export const optInWord = 'START'

/** The form in which an inbound text and a stop word are compared. */
export function optOutWord(text: string): string {
  return text.trim().normalize('NFC').toUpperCase()
}

const access = { feature: 'inbox', keys: 'any' } as const

/** One contact (specification, "Chats and contacts"). */
const contact = z
  .object({
    id: z.uuid().describe('The contact.'),
    name: z.string().nullable().describe('Saved name, else network name; null when unknown.'),
    phone: z.string().nullable().describe('Digits; null while the network hides the number.'),
    lid: z.string().nullable().describe('The network id, when known.'),
    saved: z.boolean().describe('Whether the person is in the address book.'),
    optedOut: z.boolean().describe('Whether the person asked not to get campaigns.'),
  })
  .describe('The contact.')
export type Contact = z.infer<typeof contact>

const words = z
  .array(
    text(1, limits.optOutWords.length)
      .overwrite(optOutWord)
      .min(1, 'must be more than spaces')
      .refine((word) => word !== optInWord, `${optInWord} lets people in again and cannot be a stop word`),
  )
  .max(limits.optOutWords.words)
  .describe('Up to 50 words, compared without regard to case; a word given twice counts once.')

const wordsAnswer = ok({
  words: z.array(z.string()).describe("The organization's own words, in capitals. STOP and UNSUBSCRIBE always count."),
})

export const contacts = {
  /** Contacts whose saved name, network name or number contains the search. Needs Connect. At most 50. */
  search: route(endpoints.contacts.search, {
    summary: 'Search contacts',
    access,
    query: z.object({
      search: text(1, limits.search).describe('Part of a name or number, 1 to 100 characters.'),
      limit: limitQuery(limits.contactSearch),
    }),
    status: 200,
    response: ok({ contacts: z.array(contact).describe('The contacts found.') }),
    errors: [],
  }),

  /** How many contacts there are, and whether the history is still being imported. Needs Connect. */
  count: route(endpoints.contacts.count, {
    summary: 'Count contacts',
    access,
    status: 200,
    response: ok({
      count: count('Contacts.'),
      historyImportedAt: atOrNull('When recent chats were imported last.'),
      importing: z.boolean().describe('Whether recent chats are being imported now.'),
    }),
    errors: [],
  }),

  /** Reads the address book anew and imports recent chats in the background. Needs Connect and a connected number. */
  sync: route(endpoints.contacts.sync, {
    summary: 'Sync contacts',
    access,
    body: z.object({ containerId }),
    status: 200,
    response: ok({
      contacts: count('Contacts read.'),
      saved: count('Contacts in the address book.'),
      lidsLinked: count('People whose number and network id were brought together.'),
      messagesLinked: count('Messages that found their person by it.'),
      importing: z.boolean().describe('Whether recent chats are being imported now.'),
    }),
    errors: ['NO_SESSION_CONFIGURED', 'NOT_FOUND', ...networkErrors],
  }),

  /** Opts a person out of campaigns, or in again. Needs Connect. */
  update: route(endpoints.contacts.update, {
    summary: 'Opt a contact out or in',
    access,
    params: z.object({ id: uuid.describe('The contact.') }),
    body: z.object({ optedOut: z.boolean().describe('Whether campaigns skip the person.') }),
    status: 200,
    response: ok({ contact }),
    errors: ['NOT_FOUND'],
  }),

  /** The organization's own stop words. Needs Connect. */
  optOutWords: route(endpoints.contacts.optOutWords, {
    summary: 'List stop words',
    access,
    status: 200,
    response: wordsAnswer,
    errors: [],
  }),

  /**
   * Replaces the organization's own stop words; STOP and UNSUBSCRIBE always count. Needs Connect; owners, admins and the
   * account key, since it holds for every number.
   */
  setOptOutWords: route(endpoints.contacts.setOptOutWords, {
    summary: 'Replace stop words',
    access: { feature: 'inbox', keys: 'account', roles: ['owner', 'admin'] },
    body: z.object({ words }),
    status: 200,
    response: wordsAnswer,
    errors: [],
  }),
} satisfies Covers<typeof endpoints.contacts>
