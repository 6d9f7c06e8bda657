import * as z from 'zod'
import { ok } from '../model/envelope.ts'
import { usedContainerId } from '../model/fields.ts'

/** The network errors of a direct send; `details.outcome` is the outcome. */
export const networkErrors = [
  'GATEWAY_ERROR',
  'GATEWAY_SESSION_ERROR',
  'GATEWAY_UNREACHABLE',
  'UPSTREAM_TIMEOUT',
] as const

/** The errors of every direct send. */
export const directErrors = [
  'NO_SESSION_CONFIGURED',
  'NOT_FOUND',
  'NUMBER_NOT_ON_NETWORK',
  'TRIAL_LIMIT_REACHED',
  ...networkErrors,
] as const

/** The errors of a link to a file that is downloaded before the send. */
export const fileErrors = ['SEND_FILE_TOO_LARGE', 'SEND_FILE_TYPE_NOT_ALLOWED', 'SEND_FILE_URL_UNREACHABLE'] as const

/** The response to every direct send. */
export const directAnswer = ok({
  messageId: z.uuid().describe('The message, for edit, delete and forward.'),
  gatewayMessageId: z.string().describe("The network's own id of the message."),
  containerId: usedContainerId,
}).meta({ id: 'SentMessage', description: 'A message that the network accepted.' })
