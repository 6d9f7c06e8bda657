import * as z from 'zod'
import { ok } from '../model/envelope.ts'
import { usedContainerId } from '../model/fields.ts'

/** What a send that calls the network before it answers may meet there; the outcome stands in the details. */
export const networkErrors = [
  'GATEWAY_ERROR',
  'GATEWAY_SESSION_ERROR',
  'GATEWAY_UNREACHABLE',
  'UPSTREAM_TIMEOUT',
] as const

/** The special errors of every send that leaves at once. */
export const directErrors = [
  'NO_SESSION_CONFIGURED',
  'NOT_FOUND',
  'NUMBER_NOT_ON_NETWORK',
  'TRIAL_LIMIT_REACHED',
  ...networkErrors,
] as const

/** The special errors of a link to a file that is fetched before the send. */
export const fileErrors = ['SEND_FILE_TOO_LARGE', 'SEND_FILE_TYPE_NOT_ALLOWED', 'SEND_FILE_URL_UNREACHABLE'] as const

/** The answer of every send that left at once. */
export const directAnswer = ok({
  messageId: z.uuid().describe('The message, for edit, delete and forward.'),
  gatewayMessageId: z.string().describe("The network's own id of the message."),
  containerId: usedContainerId,
})
