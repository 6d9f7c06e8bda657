import * as z from 'zod'
import * as example from '../../examples/people.ts'
import { ok } from '../../model/envelope.ts'
import { at, count, uuid } from '../../model/fields.ts'
import { route } from '../../route.ts'

const own = { keys: 'none', withoutTwoFactor: true } as const

const session = z
  .object({
    id: z.uuid().describe('The session.'),
    organization: z
      .object({
        id: z.uuid().describe('The organization.'),
        name: z.string().describe('Name of the organization.'),
      })
      .describe('The organization that the session is for.'),
    createdAt: at('When it began.'),
    lastUsedAt: at('When it was last used, to the minute.'),
    expiresAt: at('When it ends at the latest.'),
    ip: z.string().nullable().describe('The network address that signed in.'),
    client: z
      .string()
      .nullable()
      .describe('Program and system that signed in, like `Firefox on Linux`; null if unknown.'),
    current: z.boolean().describe('Whether this session makes the call.'),
  })
  .describe('A session.')

/** The sessions of the signed-in person. */
export const sessionListRoutes = {
  /** Lists your sessions in all organizations, the latest first. A person has at most 50; a new one ends the oldest. */
  sessions: route('GET /auth/sessions', {
    summary: 'List your sessions',
    access: own,
    response: ok({ sessions: z.array(session).describe('Your sessions.') }),
    example: {
      output: {
        sessions: [
          {
            id: example.sessionId,
            organization: example.ownOrganization,
            createdAt: example.at,
            lastUsedAt: example.at,
            expiresAt: example.later,
            ip: '203.0.113.7',
            client: 'Firefox on Linux',
            current: true,
          },
        ],
      },
    },
  }),

  /** Ends one of your sessions, in any organization. Its token stops working at once. AI connections stay. */
  endSession: route('DELETE /auth/sessions/:sessionId', {
    summary: 'End one of your sessions',
    access: own,
    params: z.object({ sessionId: uuid.describe('The session.') }),
    response: ok({ ended: count('Sessions that were ended.') }),
    errors: ['NOT_FOUND'],
    example: { input: { sessionId: example.sessionId }, output: { ended: 1 } },
  }),

  /**
   * Ends all your sessions except the one that makes the call, your AI connections in all organizations, and links and
   * codes that would let you in.
   */
  endSessions: route('DELETE /auth/sessions', {
    summary: 'End your other sessions and your AI connections',
    access: own,
    response: ok({ ended: count('Sessions that were ended.') }),
    example: { output: { ended: 2 } },
  }),
}
