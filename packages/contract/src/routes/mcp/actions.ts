import * as z from 'zod'
import * as example from '../../examples/ai-clients.ts'
import * as cast from '../../examples/cast.ts'
import { named, ok } from '../../model/envelope.ts'
import { at, atOrNull, count, uuid } from '../../model/fields.ts'
import { route } from '../../route.ts'
import { aiCaller } from './records.ts'

/**
 * The states of an action: it waits, a person said yes, it was carried out or failed, a person said no, or time ran
 * out.
 */
export const actionStates = ['pending', 'approved', 'done', 'failed', 'denied', 'expired'] as const
export type ActionState = (typeof actionStates)[number]

const fields = {
  id: z.uuid().describe('The action.'),
  tool: z.string().describe('The tool that was called.'),
  summary: z.string().describe('What it would do, in one line.'),
  state: z
    .enum(actionStates)
    .describe('pending; approved: being carried out; done or failed after that; denied; expired after 15 minutes.'),
  approvalUrl: z.string().describe('The page where a person decides.'),
  requestedAt: at('When the tool was called.'),
  expiresAt: at('Until when it can be approved.'),
  connection: aiCaller,
  decidedBy: z
    .object({ id: z.uuid().describe('The person.'), name: z.string().describe('Name of the person.') })
    .nullable()
    .describe('Who decided.'),
  decidedAt: atOrNull('When it was decided.'),
  result: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('The answer of the tool, or its error; null before it was carried out.'),
}

const action = named('AiAction', 'Something that an AI client wants to do and a person decides.', fields)

const preview = named('AiActionPreview', 'What an action would send.', {
  reason: z.string().describe('Why a person is asked.'),
  recipient: z.string().nullable().describe('Who would get the message; null for a campaign.'),
  text: z.string().nullable().describe('The whole text; null for a campaign.'),
  people: count('How many people would get it.'),
  samples: z
    .array(z.object({ phone: z.string().describe('Digits.'), text: z.string().describe('The rendered text.') }))
    .describe('The first texts of a campaign.'),
})

const person = { keys: 'none' } as const
const params = z.object({ actionId: uuid.describe('The action.') })
const decision = ['NOT_FOUND', 'FORBIDDEN_ACTION'] as const

export const actionRoutes = {
  /**
   * Lists what AI clients wanted to do and a person decides, the latest first, up to 100. Members see their own
   * connections.
   */
  actions: route('GET /mcp/actions', {
    summary: 'List actions of AI clients',
    access: person,
    query: z.object({ state: z.enum(actionStates).optional().describe('Only actions in this state.') }),
    response: ok({ actions: z.array(action).describe('The actions.') }),
    example: { input: { state: 'pending' }, output: { actions: [example.action] } },
  }),

  /** Returns one action with everything that it would send. */
  action: route('GET /mcp/actions/:actionId', {
    summary: 'Get an action of an AI client',
    access: person,
    params,
    response: ok({ action, preview }),
    errors: ['NOT_FOUND'],
    example: {
      input: { actionId: example.actionId },
      output: {
        action: example.action,
        preview: {
          reason: 'This person has never written to the organization.',
          recipient: cast.jane.phone,
          text: cast.order.text,
          people: 1,
          samples: [],
        },
      },
    },
  }),

  /**
   * Approves an action, which is carried out at once and at most once, as its connection. Owners, admins and the person
   * of the connection. FORBIDDEN_ACTION `not_pending` once it was decided or expired.
   */
  approve: route('POST /mcp/actions/:actionId/approve', {
    summary: 'Approve an action of an AI client',
    access: person,
    params,
    response: ok({ action }),
    errors: decision,
    example: {
      input: { actionId: example.actionId },
      output: {
        action: {
          ...example.action,
          ...example.decided,
          state: 'done',
          result: { messageId: cast.order.messageId, status: 'queued' },
        },
      },
    },
  }),

  /**
   * Denies an action. Owners, admins and the person of the connection. FORBIDDEN_ACTION `not_pending` once it was
   * decided.
   */
  deny: route('POST /mcp/actions/:actionId/deny', {
    summary: 'Deny an action of an AI client',
    access: person,
    params,
    response: ok({ action }),
    errors: decision,
    example: {
      input: { actionId: example.actionId },
      output: { action: { ...example.action, ...example.decided, state: 'denied' } },
    },
  }),
}
