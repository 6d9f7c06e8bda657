import * as z from 'zod'
import * as cast from '../../examples/cast.ts'
import * as example from '../../examples/people.ts'
import { ok } from '../../model/envelope.ts'
import { at, limitQuery, text } from '../../model/fields.ts'
import { instant } from '../../model/instants.ts'
import { limits } from '../../model/limits.ts'
import { route } from '../../route.ts'

const word = text(1, limits.activityFilter)

/** The kinds of authors in the activity log. New ones may appear. */
const actorKinds = ['user', 'account_key', 'number_key', 'ai_client', 'assistant', 'operator', 'payments'] as const

const entry = z
  .object({
    id: z.string().describe('The entry. Later entries have greater ids.'),
    at: at('When it happened.'),
    actor: z
      .object({
        kind: z.string().describe(`The kind of author: ${actorKinds.join(', ')}.`),
        id: z
          .string()
          .nullable()
          .describe('The person or the number of the key; null for the account key, the operator and payments.'),
        name: z.string().nullable().describe('Name of the person, or `deleted person`; null for other kinds.'),
      })
      .describe('The author of the change.'),
    action: z.string().describe('What happened, as `area.verb`: `webhook.set`, `member.removed`.'),
    subject: z.string().nullable().describe('The id of what was changed; null for the organization itself.'),
    details: z
      .record(z.string(), z.unknown())
      .describe('Details for a reader. Never a secret or the text of a message.'),
    ip: z.string().nullable().describe('The network address of the request; null for the operator.'),
  })
  .describe('An entry of the activity log.')

export const activity = {
  /**
   * Lists the changes of the organization, the latest first: people, keys, numbers, webhook, products and sign-ins.
   * Entries are kept for 400 days and cannot be changed. All filters given must match.
   */
  list: route('GET /activity', {
    summary: 'List the activity log',
    access: { keys: 'account', roles: ['owner', 'admin'] },
    query: z.object({
      action: word.optional().describe('Only this action, such as `member.removed`, or an area, such as `member`.'),
      actor: word.optional().describe('Only changes by the author with this id, or of this kind.'),
      subject: word.optional().describe('Only changes of the thing with this id.'),
      from: instant.optional().describe('Only entries since this time. ISO 8601 with Z or an offset.'),
      to: instant.optional().describe('Only entries before this time. ISO 8601 with Z or an offset.'),
      limit: limitQuery(limits.activity),
      cursor: z
        .string()
        .max(limits.cursor)
        .regex(/^\d{1,18}$/, 'must be a nextCursor of this list')
        .optional()
        .describe('The nextCursor of the page before.'),
    }),
    response: ok({
      entries: z.array(entry).describe('The entries of this page.'),
      nextCursor: z.string().nullable().describe('The cursor of the next page; null on the last page.'),
    }),
    example: {
      input: { action: 'member', limit: 20 },
      output: {
        entries: [
          {
            id: '1042',
            at: example.at,
            actor: { kind: 'user', id: cast.owner.id, name: cast.owner.name },
            action: 'member.removed',
            subject: example.member.id,
            details: { email: example.member.email, role: 'member' },
            ip: '203.0.113.7',
          },
        ],
        nextCursor: null,
      },
    },
  }),
}
