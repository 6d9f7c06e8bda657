import * as z from 'zod'
import { named } from '../model/envelope.ts'
import { limits } from '../model/limits.ts'
import { type MessageErrorCode, messageErrorCodes } from '../model/states.ts'
import { stats as campaignStats } from '../routes/campaign-records.ts'

/**
 * The `data` of each kind of event (specification, "Payload shapes"). These schemas describe output, so they are
 * without the transforms of input fields.
 */

const time = z.iso.datetime()
const timestamp = time.describe('When it happened, ISO 8601 UTC.')
const person = z.string().max(limits.phone.max)
const number = {
  containerId: z.uuid().describe("Which of the organization's numbers it is about."),
  numberPhone: z.string().nullable().describe('Digits of that number; null when they were never known.'),
}
const clientReference = z
  .string()
  .max(limits.clientReference)
  .optional()
  .describe('Your own reference, when the send carried one.')
const messageId = z.uuid().describe("The service's own id of the message.")
const gatewayMessageId = z.string().describe("The network's id of the message.")

export const inboundData = named('MessageInbound', 'A message that the number received.', {
  sender: person.describe('Who wrote: digits, or an id ending in `@lid` when the network hides the number.'),
  senderName: z.string().describe('The name that person shows on the network; empty when there is none.'),
  body: z
    .string()
    .describe('The text, the caption, or the transcript of a voice note. It ends with … where a longer one was cut.'),
  messageType: z.string().describe('What kind of message it is, e.g. chat, location or voice.'),
  gatewayMessageId,
  ...number,
  timestamp,
  isGroup: z.boolean().optional().describe('True when it was written in a group; groupId comes with it.'),
  groupId: z.string().optional().describe('The group it was written in.'),
  latitude: z.number().optional().describe('Degrees north, with messageType location.'),
  longitude: z.number().optional().describe('Degrees east, with messageType location.'),
  selectedButtonId: z.string().optional().describe('The button that was pressed.'),
  selectedRowId: z.string().optional().describe('The list row that was chosen.'),
  attachment: z
    .object({
      id: z.uuid().describe('Its id, for GET /chats/attachments/:id.'),
      mimetype: z.string().describe('Type of the file, as the sender named it.'),
      filename: z.string().optional().describe('The name that the sender gave it.'),
      sizeBytes: z.int().min(0).describe('Size in bytes, as the sender named it; 0 when it is not known.'),
    })
    .optional()
    .describe('The file that came with it.'),
})

/** The kinds of sends that message events report on. */
export const sendTypes = ['alert', 'bulk', 'otp', 'bot_reply'] as const
export type SendType = (typeof sendTypes)[number]

function statusShape<const S extends 'sent' | 'delivered' | 'read' | 'failed'>(status: S) {
  return {
    messageId,
    recipient: person.describe('Who it was for: digits, or an id ending in `@lid`.'),
    type: z
      .enum(sendTypes)
      .describe('alert: texts, media, batches and reminders; bulk: campaigns; otp; bot_reply: an assistant.'),
    campaignId: z.uuid().optional().describe('The campaign it belongs to, with type bulk.'),
    status: z.literal(status).describe('The status it has now.'),
    gatewayMessageId,
    ...number,
    timestamp,
    clientReference,
    botId: z.uuid().optional().describe('The assistant that sent it, with type bot_reply.'),
    conversationId: z.uuid().optional().describe("The assistant's conversation it belongs to, with type bot_reply."),
  }
}

export const sentData = named('MessageSent', 'A message that the network accepted.', statusShape('sent'))
export const deliveredData = named('MessageDelivered', 'A message that reached the phone.', statusShape('delivered'))
export const readData = named('MessageRead', 'A message that was read.', statusShape('read'))
export const failedData = named('MessageFailed', 'A message that failed, and why.', {
  ...statusShape('failed'),
  gatewayMessageId: gatewayMessageId.nullable().describe("The network's id; null when it never reached the network."),
  error: z.string().describe('What went wrong, for a person.'),
  errorCode: z
    .enum(Object.keys(messageErrorCodes) as [MessageErrorCode, ...MessageErrorCode[]])
    .describe('What went wrong, as one stable word.'),
})

const ends = {
  id: z.string().describe("The network's id of it."),
  from: z.string().describe('Who wrote it.'),
  to: z.string().describe('Who got it.'),
  fromMe: z.boolean().describe('Whether the number itself wrote it.'),
}

export const pollVoteData = named('PollVote', 'A vote in a poll that was sent.', {
  vote: z
    .object({
      ...ends,
      selectedOptions: z.array(z.string()).describe('The options chosen now; empty when the vote was withdrawn.'),
      timestamp: time.describe('When the vote was cast.'),
    })
    .describe('The vote.'),
  poll: z.object(ends).describe('The poll that was voted in.'),
  messageId: messageId.describe("The service's own id of the message that holds the poll."),
  ...number,
  timestamp,
  clientReference,
})

const session = z.string().describe("The number's session on the network service.")

export const needsScanData = named('SessionNeedsScan', 'A number that must be linked again.', {
  status: z.literal('SCAN_QR_CODE').describe('The status of the number.'),
  ...number,
  session,
})

export const disconnectedData = named('SessionDisconnected', 'A number that went down, and what is done about it.', {
  status: z.literal('FAILED').describe('The status of the number as receivers see it.'),
  message: z.string().describe('What happened, for a person.'),
  retriesExhausted: z
    .boolean()
    .optional()
    .describe('Whether the quick attempts to reconnect are used up. Absent when reason is given.'),
  reason: z
    .literal('instance_down')
    .optional()
    .describe('The hosting server is down; the number comes back by itself. Replaces retriesExhausted.'),
  lastAttempt: z.int().min(0).describe('How many attempts to reconnect were made; 0 before the first.'),
  ...number,
  session,
  timestamp,
})

export const recoveredData = named('SessionRecovered', 'A number that can send again.', {
  status: z.literal('WORKING').describe('The status of the number.'),
  recoveredAt: time.describe('When it could send again, ISO 8601 UTC.'),
  queueHeld: z
    .literal(true)
    .optional()
    .describe('Another phone was linked: what was queued before is held, and new texts are refused, until a release.'),
  ...number,
  session,
})

export const numberWarningData = named(
  'NumberWarning',
  'A number that needs a decision, or that the network may restrict soon.',
  {
    reason: z
      .enum(['off_network', 'few_replies', 'unused', 'queue_held', 'restricted'])
      .describe(
        'off_network: more than 30 % of the last 50 recipients are not on the network, and the campaigns of ' +
          'the number are paused. few_replies: the last 20 new conversations got no reply; nothing is stopped. ' +
          'unused: a linked number has been stopped for 20 days, and the network may end its link. queue_held: the ' +
          'service was restored from a backup; what was queued before is held until a release. restricted: the ' +
          'network limits what the account may send; its queue waits until then.',
      ),
    message: z.string().describe('What happened and what to do, for a person.'),
    ...number,
    session,
    timestamp,
  },
)

export const assistantData = named('BotQuestion', 'What an assistant left to a person.', {
  botId: z.uuid().describe('The assistant.'),
  conversationId: z.uuid().describe('The conversation it was in.'),
  contactPhone: person.describe('Who it was talking to: digits, or an id ending in `@lid`.'),
  question: z.string().describe('What that person wrote.'),
  lang: z.string().optional().describe('The language of the question; absent with reason away.'),
  reason: z
    .enum(['away', 'ai_quota'])
    .optional()
    .describe("Outside business hours, or the month's AI allowance used up; absent for a plain failure to answer."),
  timestamp,
})

export const orderData = named('CommerceOrder', 'An order placed with a shop assistant.', {
  botId: z.uuid().describe('The shop assistant.'),
  contactPhone: person.describe('Who ordered: digits, or an id ending in `@lid`.'),
  orderNumber: z.string().describe("The order's number, for a person."),
  total: z.number().describe('What it costs, in the currency.'),
  currency: z.string().describe('ISO 4217 code of the currency.'),
  timestamp,
})

const campaign = {
  campaignId: z.uuid().describe('The campaign.'),
  name: z.string().describe('The name of the campaign.'),
}

export const campaignCompletedData = named('CampaignCompleted', 'A campaign that has nothing left to send.', {
  ...campaign,
  status: z.literal('completed').describe('The status of the campaign.'),
  containerId: z.uuid().nullable().describe('The number it is bound to; null when the service chose the numbers.'),
  stats: campaignStats,
  startedAt: time.describe('When sending began, ISO 8601 UTC.'),
  timestamp,
})

export const campaignFailedData = named('CampaignFailed', 'A scheduled campaign that could not start for an hour.', {
  ...campaign,
  status: z.literal('draft').describe('The status of the campaign: it can be changed and started again.'),
  error: z.string().describe('Why it could not start, for a person.'),
  errorCode: z.string().describe('Why it could not start, as the error code of the last attempt.'),
  scheduledAt: time.describe('When it should have started, ISO 8601 UTC.'),
  timestamp,
})
