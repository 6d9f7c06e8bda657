import * as z from 'zod'
import * as cast from '../examples/cast.ts'
import * as example from '../examples/numbers.ts'
import { named, ok } from '../model/envelope.ts'
import { count, text, unique, uuid } from '../model/fields.ts'
import { limits } from '../model/limits.ts'
import { route } from '../route.ts'
import { connectionRoutes } from './connections.ts'
import { apiKey, apiKeyPreview, warning } from './keys.ts'
import { allowance, number, numberId } from './number-records.ts'

/** The modes of a send group. `backup`: the next number when the first is down. `share`: all numbers. */
export const sendGroupModes = ['backup', 'share'] as const
export type SendGroupMode = (typeof sendGroupModes)[number]

const params = z.object({ containerId: uuid.describe('The number.') })
const admins = ['owner', 'admin'] as const
const byUser = { keys: 'none', roles: admins } as const
const byAdmin = { keys: 'account', roles: admins } as const
const keyAccess = { feature: 'api', ...byAdmin } as const
const label = text(1, limits.numberLabel).describe('Name of the number, 1 to 100 characters.')

const group = {
  enabled: z.boolean().describe('Whether sends without a containerId use the group.'),
  containerIds: z.array(z.uuid()).describe('The numbers in their order, up to 20.'),
  mode: z.enum(sendGroupModes).describe('backup: the next one when the default is down; share: spread over all.'),
  sticky: z.boolean().describe('Whether the same contact keeps the same number.'),
}
const groupAnswer = ok({
  sendGroup: named('SendGroup', 'The numbers that stand in for each other.', group),
})

const keyAnswer = {
  containerId: numberId,
  label: z.string().describe('Name of the number.'),
}

const ownedRoutes = {
  /**
   * Lists the organization's numbers and its allowance. Account key or signed-in user. No `success` in the response.
   */
  list: route('GET /session/list', {
    summary: 'List numbers',
    access: { keys: 'account' },
    response: z.object({
      sessions: z.array(number).describe('The numbers, oldest first.'),
      maxSessions: count('Numbers allowed, or null without a limit.').nullable(),
      usedSessions: count('Numbers there are.'),
      canCreate: z.boolean().describe('Whether one more may be added.'),
      allowance,
    }),
    example: {
      output: {
        sessions: [example.supportNumber, example.salesNumber],
        maxSessions: 3,
        usedSessions: 2,
        canCreate: true,
        allowance: { capped: true, included: 3, extra: 0, extraExpiresAt: null, used: 2, max: 3, over: 0 },
      },
    },
    msgctl: 'msgctl numbers list',
  }),

  /**
   * Adds a number and starts it; its QR is ready soon. Signed-in owner or admin. NUMBER_LIMIT_REACHED with `max`,
   * `used`, `included`, `extra` and `capped` above the allowance. FORBIDDEN_ACTION quota_reached with 10,000 numbers
   * (100 on trial). PORT_EXHAUSTED while the hosts that connect numbers are full.
   */
  create: route('POST /session', {
    summary: 'Add a number',
    access: byUser,
    body: z.object({ label }),
    status: 201,
    response: ok({ session: number }),
    errors: ['NUMBER_LIMIT_REACHED', 'PORT_EXHAUSTED', 'FORBIDDEN_ACTION'],
    idempotent: true,
    example: { input: { label: cast.sales.label }, output: { session: example.salesNumber } },
    msgctl: `msgctl numbers add ${cast.sales.label}`,
  }),

  /** Renames a number, or makes it the default. Signed-in owner or admin. */
  update: route('PUT /session/:containerId', {
    summary: 'Change a number',
    access: byUser,
    params,
    body: z
      .object({
        label: label.optional(),
        isDefault: z.literal(true).optional().describe('Makes it the default; another number takes it away again.'),
      })
      .refine((body) => body.label !== undefined || body.isDefault !== undefined, {
        error: 'or isDefault must be given',
        path: ['label'],
      }),
    response: ok({ session: number }),
    errors: ['NOT_FOUND'],
    example: {
      input: { containerId: cast.support.containerId, label: cast.support.label, isDefault: true },
      output: { session: example.supportNumber },
    },
    msgctl: `msgctl numbers default ${cast.support.label}`,
  }),

  /** Removes a number permanently. Signed-in owner or admin. IN_USE while a campaign or the send group uses it. */
  delete: route('DELETE /session/:containerId', {
    summary: 'Remove a number',
    access: byUser,
    params,
    response: ok({}),
    errors: ['NOT_FOUND', 'IN_USE'],
    example: { input: { containerId: cast.sales.containerId }, output: {} },
    msgctl: `msgctl numbers remove ${cast.sales.label}`,
  }),

  /** Returns the send group: the numbers that stand in for each other. Owners, admins and the account key. */
  sendGroup: route('GET /session/send-group', {
    summary: 'Get the send group',
    access: byAdmin,
    response: groupAnswer,
    example: { output: { sendGroup: example.sendGroup } },
    msgctl: 'msgctl numbers group show',
  }),

  /** Changes the send group; omitted fields stay. Signed-in owner or admin. An enabled group needs numbers. */
  setSendGroup: route('PUT /session/send-group', {
    summary: 'Change the send group',
    access: byUser,
    body: z
      .object({
        enabled: group.enabled.optional(),
        containerIds: unique(z.array(uuid).max(limits.sendGroupNumbers))
          .optional()
          .describe('The numbers in their order, up to 20 that differ; needed when on.'),
        mode: group.mode.optional(),
        sticky: group.sticky.optional(),
      })
      .refine((body) => !(body.enabled === true && body.containerIds?.length === 0), {
        error: 'must have at least one number while the send group is on',
        path: ['containerIds'],
      }),
    response: groupAnswer,
    errors: ['NOT_FOUND'],
    example: {
      input: {
        enabled: true,
        containerIds: [cast.support.containerId, cast.sales.containerId],
        mode: 'backup',
        sticky: true,
      },
      output: { sendGroup: example.sendGroup },
    },
    msgctl: `msgctl numbers group set --on --numbers ${cast.support.label},${cast.sales.label} --mode backup --sticky`,
  }),

  /**
   * Decides about messages held after a number was linked to another phone: send them from it, or discard them. Until
   * then new texts through the number are refused with NO_SESSION_CONFIGURED. Owners, admins, the account key and the
   * number's own key.
   */
  release: route('POST /session/:containerId/release', {
    summary: 'Release held messages',
    access: { keys: 'any', roles: admins },
    params,
    body: z.object({ action: z.enum(['send', 'discard']).describe('What becomes of the held messages.') }),
    response: ok({ messages: count('Messages that may leave now, or that were discarded.') }),
    errors: ['NOT_FOUND'],
    idempotent: true,
    example: { input: { containerId: cast.support.containerId, action: 'send' }, output: { messages: 12 } },
    msgctl: `msgctl numbers release ${cast.support.label} --send`,
  }),

  /** Creates the first key of a number, shown once. Owners, admins and the account key. CONFLICT if it has one. */
  generateKey: route('POST /session/:containerId/generate-key', {
    summary: "Make a number's first key",
    access: keyAccess,
    params,
    status: 201,
    response: ok({ apiKey: apiKey.number, apiKeyPreview, ...keyAnswer, warning }),
    errors: ['CONTAINER_NOT_FOUND', 'CONFLICT'],
    secret: true,
    example: {
      input: { containerId: cast.support.containerId },
      output: { ...example.key, apiKeyPreview: 'msn_0123…' },
    },
    msgctl: `msgctl keys generate --number ${cast.support.label}`,
  }),

  /** Creates a new key for a number, shown once; the old key stops at once. Owners, admins and the account key. */
  regenerateKey: route('POST /session/:containerId/regenerate-key', {
    summary: "Replace a number's key",
    access: keyAccess,
    params,
    response: ok({ apiKey: apiKey.number, ...keyAnswer, warning }),
    errors: ['CONTAINER_NOT_FOUND'],
    secret: true,
    example: { input: { containerId: cast.support.containerId }, output: example.key },
    msgctl: `msgctl keys rotate --number ${cast.support.label}`,
  }),

  /** Deletes the key of a number, which stops at once. NOT_FOUND if it has none. Owners, admins and the account key. */
  deleteKey: route('DELETE /session/:containerId/key', {
    summary: "Delete a number's key",
    access: keyAccess,
    params,
    response: ok({}),
    errors: ['CONTAINER_NOT_FOUND', 'NOT_FOUND'],
    example: { input: { containerId: cast.support.containerId }, output: {} },
    msgctl: `msgctl keys delete --number ${cast.support.label}`,
  }),
}

type Numbers = typeof ownedRoutes & typeof connectionRoutes

/** The organization's numbers, their connections and their keys. */
export const numbers: Numbers = { ...ownedRoutes, ...connectionRoutes }
