import * as z from 'zod'
import { endpoints } from '../endpoints.ts'
import { ok } from '../model/envelope.ts'
import { at, atOrNull, count, pageOf, pageQuery, person, priority, search, uuid } from '../model/fields.ts'
import { limits } from '../model/limits.ts'
import { type MessageErrorCode, messageErrorCodes, messageStatuses } from '../model/states.ts'
import { type Covers, route } from '../route.ts'

/** What a message was sent as: a single send, batch or reminder; a campaign; a one-time code. */
export const messageTypes = ['alert', 'bulk', 'otp'] as const
export type MessageType = (typeof messageTypes)[number]

const errorCode = z.enum(Object.keys(messageErrorCodes) as [MessageErrorCode, ...MessageErrorCode[]])

/** One message (specification, "Message"), with the fields of our own from `clientReference` on. */
const message = z.object({
  id: z.uuid().describe("The service's own message id, not the network's."),
  type: z.enum(messageTypes).describe('alert for sends, batches and reminders; bulk for campaigns; otp.'),
  recipient: person,
  content: z
    .string()
    .describe('The text; the caption or a label like [image] with the link for media; [OTP MESSAGE] for a code.'),
  status: z.enum(messageStatuses).describe('How far the message has come.'),
  priority: priority.describe('Its place in the queue.'),
  error: z.string().nullable().describe('Why it failed, for a person.'),
  sentAt: atOrNull('When the network took it.'),
  deliveredAt: atOrNull('When it reached the phone.'),
  createdAt: at('When it was accepted.'),
  gatewayMessageId: z.string().nullable().describe("The network's id once sent; null before."),
  containerId: z.uuid().nullable().describe('The number it went from; null on older rows.'),
  clientReference: z.string().nullable().describe('The reference given with the send.'),
  errorCode: errorCode.nullable().describe('Why it failed, as a stable code.'),
  attempts: count('Times the network was asked to take it.'),
  campaignId: z.uuid().nullable().describe('The campaign it belongs to.'),
  reminderId: z.uuid().nullable().describe('The reminder it was sent for.'),
  readAt: atOrNull('When it was read.'),
})
export type Message = z.infer<typeof message>

/** The steps a message's timeline can show. `webhook` is one attempt to tell the receiver. */
export const timelineSteps = [
  'queued',
  'sending',
  'sent',
  'delivered',
  'read',
  'failed',
  'held',
  'edited',
  'deleted',
  'webhook',
] as const
export type TimelineStep = (typeof timelineSteps)[number]

const timelineEntry = z.object({
  at: at('When it happened.'),
  step: z.enum(timelineSteps).describe('What happened.'),
  detail: z.string().optional().describe('More about it, for a person, e.g. which event was posted and the answer.'),
})

/** One message and what happened to it, oldest step first. */
export const messageWithTimeline = ok({
  message: message.describe('The message.'),
  timeline: z.array(timelineEntry).describe('What happened to it, oldest first.'),
})

export const messages = {
  /**
   * Every message of the organization, newest first: sends, batches, campaigns, OTP, reminders and assistants. Open to
   * every product, with the account key or a signed-in user. At most 100 on a page; follow `nextCursor` for pages that
   * do not shift while new messages arrive.
   */
  list: route(endpoints.messages.list, {
    summary: 'List messages, newest first',
    access: { keys: 'account' },
    query: z.object({
      type: z.enum(messageTypes).optional().describe('Only messages of this type.'),
      status: z.enum(messageStatuses).optional().describe('Only messages with this status.'),
      search: search('Part of the recipient or of the text, in any case; a number may be typed with separators.'),
      ...pageQuery,
      cursor: z
        .string()
        .max(limits.cursor)
        .optional()
        .describe('The nextCursor of the page before; it takes the place of page.'),
    }),
    status: 200,
    response: ok({
      ...pageOf,
      totalIsExact: z
        .literal(false)
        .optional()
        .describe(`Present when a search matches more rows than it counts; total then says ${limits.searchTotal}.`),
      messages: z.array(message).describe('The messages of this page.'),
      nextCursor: z.string().nullable().describe('Gives the next page as cursor; null on the last.'),
    }),
    errors: [],
  }),

  /** One message with its timeline, with the account key or a signed-in user. MESSAGE_NOT_FOUND when there is none. */
  get: route(endpoints.messages.get, {
    summary: 'Get one message and its timeline',
    access: { keys: 'account' },
    params: z.object({ id: uuid.describe('The message.') }),
    status: 200,
    response: messageWithTimeline,
    errors: ['MESSAGE_NOT_FOUND'],
  }),

  /** Counts of the organization's messages. `sent` counts what reached the network, `delivered` also what was read. */
  stats: route(endpoints.messages.stats, {
    summary: 'Count messages',
    access: { keys: 'account' },
    status: 200,
    response: ok({
      totalMessages: count('All messages.'),
      sent: count('Messages that reached the network: sent, delivered or read.'),
      delivered: count('Messages delivered or read.'),
      failed: count('Messages that failed.'),
      alerts: count('Messages of type alert.'),
      bulk: count('Messages of type bulk.'),
      otp: count('Messages of type otp.'),
      last24h: count('Messages accepted in the last 24 hours.'),
      last7d: count('Messages accepted in the last 7 days.'),
    }),
    errors: [],
  }),
} satisfies Covers<typeof endpoints.messages>
