import * as z from 'zod'
import { named } from '../model/envelope.ts'
import { at, atOrNull, count } from '../model/fields.ts'
import { numberReasons } from '../model/number-reasons.ts'
import { numberStatuses } from '../model/states.ts'

/** What a person should do about a number's connection. */
export const connectionActions = [
  'none',
  'scan_qr',
  'wait',
  'start',
  'reconnect',
  'release',
  'passkey',
  'contact_support',
] as const
export type ConnectionAction = (typeof connectionActions)[number]

const numberStatus = z.enum(numberStatuses)
export const numberId = z.uuid().describe('The number: the containerId other calls take.')

/** The account on the network that a number is linked with. */
export const linkedAccount = named('LinkedAccount', 'The account on the network that a number is linked with.', {
  id: z.string().describe("The network's own id of the linked account."),
  pushName: z.string().describe('The name the account shows to others.'),
})
const me = linkedAccount.nullable().describe('The linked account; null while there is none.')

/** One number (specification, "Number"). */
export const number = named('NumberRecord', 'A phone number of the organization.', {
  id: numberId,
  instanceName: z.string().describe('Name of the session on the gateway.'),
  label: z.string().describe('Name given by the organization.'),
  phoneNumber: z.string().nullable().describe('Digits; null before the first link.'),
  status: numberStatus.describe('The state of its connection; only WORKING can send.'),
  isDefault: z.boolean().describe('Whether calls without a containerId use it.'),
  connected: z.boolean().describe('Whether it is connected to the network.'),
  queueHeld: z
    .boolean()
    .describe(
      'Whether its queue is held, and new texts are refused, until a release: another phone was linked, or the ' +
        'service was restored from a backup.',
    ),
  me,
  hasApiKey: z.boolean().describe('Whether it has a key of its own.'),
  apiKeyPreview: z.string().nullable().describe('Masked beginning of that key; null without one.'),
  apiKeyLastUsedAt: atOrNull('When that key was used last, to the minute.'),
  createdAt: at('When it was added.'),
})
export type NumberRecord = z.infer<typeof number>

/** The numbers that the organization may have. */
export const allowance = named('NumberAllowance', 'How many numbers the products allow.', {
  capped: z.boolean().describe('Whether a limit applies; with Notify, Assistant or Shop only there is none.'),
  included: count('Numbers the products include.'),
  extra: count('Numbers bought on top.'),
  extraExpiresAt: atOrNull('Until when the extra numbers are paid.'),
  used: count('Numbers there are.'),
  max: count('Included plus extra; it binds only when capped.'),
  over: count('Numbers above the allowance; they keep working.'),
})

const manager = named('ConnectionManager', 'What keeps the connection up.', {
  retryCount: count('Reconnections tried since it was connected last.'),
  maxRetries: count('Reconnections tried quickly before they become rare.'),
  totalRecoveries: count('Times it came back by itself.'),
  totalFailures: count('Times it went down.'),
  queuesPaused: z.boolean().describe('Whether its queue waits: it is not connected, or its queue is held.'),
  lastHealthy: atOrNull('When the network or the host of the number last confirmed that it works.'),
  connectedSince: atOrNull('Since when it is connected.'),
  lastErrorAt: atOrNull('When something went wrong last.'),
  uptime: z.string().describe('How long it has been connected, for a person, like 3 h 12 min.'),
  uptimeSeconds: count('How long it has been connected, in seconds; 0 while it is not.'),
  lastError: z.string().nullable().describe('What went wrong last.'),
})

const used = (what: string) =>
  z.object({
    used: count(`${what} so far.`),
    allowed: count(`${what} that the number may have by its age; null without a limit.`).nullable(),
  })

/** What the guard rules allow a number, and what it has used. */
const guard = z
  .object({
    version: count('The version of the table of rules.'),
    daysLinked: count('Days since the phone was linked; the table goes by them.'),
    newConversations: used('Conversations begun in the last 24 hours').describe('Conversations with new people.'),
    lastHour: used('Messages in the last hour').describe('The last hour.'),
    lastDay: used('Messages in the last 24 hours').describe('The last 24 hours.'),
    blockedUntil: atOrNull('Until when the network lets it begin no conversations.'),
    networkQuota: z
      .object({
        used: count('Conversations begun in the present period of the network.'),
        quota: count('Conversations that the network allows.').nullable(),
        resetsAt: atOrNull('When the next period begins.'),
      })
      .nullable()
      .describe('What the network itself allows, where it says so.'),
    campaignsStopped: z
      .boolean()
      .describe('Whether its campaigns are paused: too many recipients are not on the network.'),
    held: count('Its queued messages that are held.'),
  })
  .describe('The limits that protect the number from being restricted.')
export type NumberGuard = z.infer<typeof guard>

/** The connection state record (specification, "Number"); it carries no `success`. */
export const connectionState = named('ConnectionState', 'The state of the connection of a number.', {
  session: z.string().describe('Name of the session on the gateway.'),
  containerId: numberId,
  status: numberStatus.describe('The state of the connection; only WORKING can send.'),
  connected: z.boolean().describe('Whether it can send now.'),
  me,
  engine: z.string().describe('The driver that speaks to the network.'),
  reason: z
    .enum(numberReasons)
    .nullable()
    .describe('Why it is in its state, as a stable word; null when that is not known.'),
  reasonMessage: z.string().nullable().describe('What that means and what to do about it, for a person.'),
  reasonCode: z
    .int()
    .nullable()
    .describe('The code that the network gave for the reason, where it says more; reasonMessage explains it.'),
  linkWarning: z
    .string()
    .nullable()
    .describe(
      'Set when two links failed within 24 hours: what to check before the number is linked again; null otherwise.',
    ),
  networkWarning: z
    .string()
    .nullable()
    .describe(
      'Set while the network limits what the account may send, or while the service runs in production and this ' +
        'number sends to no real phone; null otherwise.',
    ),
  restrictedUntil: atOrNull('Until when the network limits what the account may send; null when it does not.'),
  manager,
  action: named('ConnectionAdvice', 'What a person should do now.', {
    type: z.enum(connectionActions).describe('What to do, as a stable word.'),
    message: z.string().describe('What to do, for a person.'),
    canLogout: z.boolean().describe('Whether there is a link that logout would end.'),
  }),
  guard: guard.nullable().describe('The limits that protect the number; null while the rules are off for it.'),
})
export type ConnectionState = z.infer<typeof connectionState>

const expiring = {
  expiresInSeconds: z.int().describe('How long this QR can be scanned: 60.'),
  message: z.string().describe('How to scan it, for a person.'),
}

/** The three responses of GET /session/qr, discriminated by `status`. */
export const qrAnswer = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('SCAN_QR_CODE').describe('It waits to be linked.'),
    qr: z
      .union([
        z.object({ image: z.string().describe('PNG as a data URL in base64.'), ...expiring }),
        z.object({ text: z.string().describe('The text to draw as a QR, with format=raw.'), ...expiring }),
      ])
      .describe('The QR; it changes about every minute.'),
  }),
  z.object({ status: z.literal('already_connected').describe('It is linked; there is nothing to scan.') }),
  z.object({
    status: numberStatus.exclude(['WORKING', 'SCAN_QR_CODE']).describe('It cannot be linked right now.'),
    message: z.string().describe('What that means, for a person.'),
    hint: z.string().describe('What to do about it.'),
  }),
])

/** One change of a number's connection. */
export const connectionChange = named('ConnectionChange', 'One change of the connection of a number.', {
  at: at('When it changed.'),
  from: numberStatus.nullable().describe('The state before; null for the first.'),
  to: numberStatus.describe('The state after.'),
  reason: z.string().nullable().describe('Why, as a stable word; null when that is not known.'),
  message: z.string().nullable().describe('What that means and what to do about it, for a person.'),
  source: z.enum(['network', 'user', 'supervisor']).describe('Who caused it.'),
})
