import * as z from 'zod'
import * as example from '../../examples/ai-clients.ts'
import { named, ok } from '../../model/envelope.ts'
import { at, count, limitQuery, text, unique, uuid } from '../../model/fields.ts'
import { limits } from '../../model/limits.ts'
import { route } from '../../route.ts'
import { aiCaller, aiScopes } from './records.ts'

const admins = ['owner', 'admin'] as const

const call = named('AiCall', 'A call of a tool by an AI client.', {
  id: z.string().describe('The call. Later calls have greater ids.'),
  at: at('When it was made.'),
  tool: z.string().describe('The tool.'),
  connection: aiCaller,
  outcome: z.enum(['ok', 'waiting', 'failed']).describe('waiting: a person decides.'),
  code: z.string().nullable().describe('The error code of a failed call.'),
  ms: count('How long it took, in milliseconds.'),
  phone: z.string().nullable().describe('The last four digits of the person that it was about, masked.'),
})

const settings = named('AiSettings', 'What AI clients of the organization may do.', {
  enabled: z.boolean().describe('Whether AI clients may call.'),
  sendsPerHour: z
    .int()
    .min(0)
    .max(limits.mcp.sendsPerHour.max)
    .describe('Messages that each connection or key may send in an hour, 0 to 300. At most 5 of them in a minute.'),
  approve: z
    .enum(['strangers', 'all'])
    .describe('Which messages wait for a person: those to people who never wrote, or all. Campaigns always wait.'),
  keyScopes: unique(z.array(z.enum(aiScopes)).max(aiScopes.length)).describe('What API keys may do at /mcp.'),
})

export const callRoutes = {
  /** Lists the calls of tools by AI clients, the latest first, without their texts. They are kept for 90 days. */
  calls: route('GET /mcp/calls', {
    summary: 'List calls of AI clients',
    access: { keys: 'account', roles: admins },
    query: z.object({
      tool: text(1, 64).optional().describe('Only calls of this tool.'),
      connection: uuid.optional().describe('Only calls of this connection.'),
      limit: limitQuery(limits.mcp.calls),
      cursor: z
        .string()
        .max(limits.cursor)
        .regex(/^\d{1,18}$/, 'must be a nextCursor of this list')
        .optional()
        .describe('The nextCursor of the page before.'),
    }),
    response: ok({
      calls: z.array(call).describe('The calls of this page.'),
      nextCursor: z.string().nullable().describe('The cursor of the next page; null on the last page.'),
    }),
    example: {
      input: { tool: 'send_message', limit: 20 },
      output: {
        calls: [
          {
            id: '2201',
            at: example.at,
            tool: 'send_message',
            connection: example.keyCaller,
            outcome: 'waiting',
            code: null,
            ms: 12,
            phone: '…0100',
          },
        ],
        nextCursor: null,
      },
    },
  }),

  /** Returns what AI clients of the organization may do. */
  settings: route('GET /mcp/settings', {
    summary: 'Get the settings of AI clients',
    access: { keys: 'account', roles: admins },
    response: ok({ settings }),
    example: { output: { settings: example.settings } },
  }),

  /** Changes what AI clients of the organization may do; omitted fields stay. For a signed-in owner or admin. */
  setSettings: route('PUT /mcp/settings', {
    summary: 'Change the settings of AI clients',
    access: { keys: 'none', roles: admins },
    body: settings.partial(),
    response: ok({ settings }),
    example: { input: { keyScopes: ['read', 'send'] }, output: { settings: example.settings } },
  }),
}
