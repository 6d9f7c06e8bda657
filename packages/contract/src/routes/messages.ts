import * as z from 'zod'
import * as cast from '../examples/cast.ts'
import * as example from '../examples/messages.ts'
import { named, ok } from '../model/envelope.ts'
import { at, atOrNull, count, pageOf, pageQuery, person, phone, priority, search, uuid } from '../model/fields.ts'
import { filters, timeSpan } from '../model/filters.ts'
import { guardRuleNames } from '../model/guard.ts'
import { limits } from '../model/limits.ts'
import { type MessageErrorCode, messageErrorCodes, messageStatuses, numberStatuses } from '../model/states.ts'
import { route } from '../route.ts'
import { queueRoutes } from './queue.ts'

/** The types of messages: `alert` is a single send, batch or reminder, `bulk` a campaign, `otp` a one-time code. */
export const messageTypes = ['alert', 'bulk', 'otp'] as const
export type MessageType = (typeof messageTypes)[number]

/**
 * Who had a message sent. `ai_client` is a program that called a tool at /mcp, with a key or with a connection of its
 * own.
 */
export const messageSenders = ['key', 'user', 'ai_client', 'assistant', 'campaign', 'reminder'] as const
export type MessageSender = (typeof messageSenders)[number]

const errorCode = z.enum(Object.keys(messageErrorCodes) as [MessageErrorCode, ...MessageErrorCode[]])

const held = z
  .object({
    reason: z.literal('guard').describe('What holds it: the rules that protect the number.'),
    rule: z.enum(guardRuleNames).describe('The rule, as a stable word.'),
    until: at('When it may leave as far as is known now. Messages that pass the rules may come before it.'),
    message: z.string().describe('Why, for a person.'),
  })
  .nullable()
  .describe('Why it waits although its number works; null for a message that is not held.')

/** One message (specification, "Message"). The fields from `clientReference` on are additions. */
const message = named('Message', 'A message that was accepted for sending.', {
  id: z.uuid().describe("The service's own message id, not the network's."),
  type: z
    .enum(messageTypes)
    .describe('alert for sends, batches and reminders; bulk for campaigns; otp for one-time codes.'),
  recipient: person,
  content: z
    .string()
    .describe('The text. For media the caption, or a label like [image] with the link. For a code [OTP MESSAGE].'),
  status: z.enum(messageStatuses).describe('The status of the message.'),
  priority: priority.describe('Its priority in the queue.'),
  error: z.string().nullable().describe('Why it failed, in words.'),
  sentAt: atOrNull('When the network accepted it.'),
  deliveredAt: atOrNull('When it reached the phone.'),
  createdAt: at('When it was accepted.'),
  gatewayMessageId: z.string().nullable().describe("The network's id; null before it was sent."),
  containerId: z.uuid().nullable().describe('The number that sends it; null on older messages.'),
  clientReference: z.string().nullable().describe('The clientReference of the send.'),
  errorCode: errorCode.nullable().describe('Why it failed, as a stable code.'),
  attempts: count('Attempts to send it.'),
  campaignId: z.uuid().nullable().describe('The campaign it belongs to.'),
  reminderId: z.uuid().nullable().describe('The reminder it was sent for.'),
  readAt: atOrNull('When it was read.'),
  sentBy: z
    .enum(messageSenders)
    .nullable()
    .describe(
      'Who had it sent: an API key, a signed-in user, an AI client, an assistant, a campaign or a reminder. ' +
        'Null on older messages.',
    ),
  held,
})
export type Message = z.infer<typeof message>

/**
 * The steps of a message's timeline. `attempt` is one that did not send it, `webhook` one attempt to deliver an event
 * about it.
 */
export const timelineSteps = [
  'queued',
  'sending',
  'attempt',
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

const timelineEntry = named('TimelineEntry', 'One step of a message.', {
  at: at('When it happened.'),
  step: z.enum(timelineSteps).describe('What happened.'),
  detail: z
    .string()
    .optional()
    .describe('More in words, e.g. why an attempt failed, or which event was posted and the response.'),
})

const queuePosition = named('QueuePosition', 'Why a queued message waits.', {
  numberStatus: z.enum(numberStatuses).describe('Status of the number that will send it.'),
  isHeld: z.boolean().describe('Whether the queue of the number is held until it is released.'),
  ahead: count(`Messages of the number that leave before it, counted up to ${limits.queueAhead}.`),
  nextAttemptAt: atOrNull('The earliest time at which it can leave; null while the number cannot send.'),
})

/** One message and its timeline, oldest step first. */
export const messageWithTimeline = ok({
  message: message.describe('The message.'),
  timeline: z.array(timelineEntry).describe('The steps of the message, oldest first.'),
  queue: queuePosition.optional().describe('Why a queued message waits; absent for others and without a number.'),
}).meta({ id: 'MessageWithTimeline', description: 'A message and everything that happened to it.' })

const history = {
  /**
   * Lists every message of the organization, newest first: sends, batches, campaigns, one-time codes, reminders and
   * assistants. Any product, with the account key or a signed-in user. At most 100 per page. Pages by `nextCursor` do
   * not shift when new messages arrive.
   */
  list: route('GET /messages', {
    summary: 'List messages, newest first',
    access: { keys: 'account' },
    query: z.object({
      type: z.enum(messageTypes).optional().describe('Only messages of this type.'),
      status: z.enum(messageStatuses).optional().describe('Only messages with this status.'),
      search: search('Part of the recipient or of the text, in any case. Numbers can have separators.'),
      ...filters('messages'),
      reminderId: uuid.optional().describe('Only messages of this reminder, while it is stored.'),
      recipient: phone
        .optional()
        .describe('Only messages to this recipient: digits, with or without +, or a network id.'),
      errorCode: errorCode.optional().describe('Only messages that failed for this reason.'),
      ...timeSpan('messages'),
      ...pageQuery,
      cursor: z
        .string()
        .max(limits.cursor)
        .optional()
        .describe('The nextCursor of the previous page; it replaces page.'),
    }),
    response: ok({
      ...pageOf,
      totalIsExact: z
        .literal(false)
        .optional()
        .describe(
          'Present when a search, or a filter other than type and status, matches more rows than are counted; ' +
            `total is then ${limits.searchTotal}. Present also when a search ended before the oldest message, as one ` +
            'for one or two characters does; total is then what it found.',
        ),
      messages: z.array(message).describe('The messages of this page.'),
      nextCursor: z
        .string()
        .nullable()
        .describe(
          'The cursor of the next page; null on the last page. A search for one or two characters, or one that would ' +
            'take longer than a second, reads 100,000 messages for a page. Such a page may have fewer messages than ' +
            'limit, or none, before the last one.',
        ),
    }),
    example: {
      input: { status: 'read', limit: 20 },
      output: {
        total: 2,
        page: 1,
        limit: 20,
        messages: [example.readMessage, example.campaignMessage],
        nextCursor: null,
      },
    },
    msgctl: 'msgctl messages list --status read --limit 20',
  }),

  /** Returns one message with its timeline. Account key or signed-in user. MESSAGE_NOT_FOUND if there is none. */
  get: route('GET /messages/:id', {
    summary: 'Get one message and its timeline',
    access: { keys: 'account' },
    params: z.object({ id: uuid.describe('The message.') }),
    response: messageWithTimeline,
    errors: ['MESSAGE_NOT_FOUND'],
    example: { input: { id: cast.order.messageId }, output: example.withTimeline },
    msgctl: `msgctl messages show ${cast.order.messageId}`,
  }),

  /**
   * Counts the organization's messages. `sent` includes delivered and read messages, `delivered` includes read ones.
   */
  stats: route('GET /stats', {
    summary: 'Count messages',
    access: { keys: 'account' },
    response: ok({
      totalMessages: count('All messages.'),
      sent: count('Messages sent, delivered or read.'),
      delivered: count('Messages delivered or read.'),
      failed: count('Messages that failed.'),
      alerts: count('Messages of type alert.'),
      bulk: count('Messages of type bulk.'),
      otp: count('Messages of type otp.'),
      last24h: count('Messages accepted in the last 24 hours.'),
      last7d: count('Messages accepted in the last 7 days.'),
      held: z
        .object({
          total: count('Queued messages that the guard rules hold.'),
          rules: z
            .partialRecord(z.enum(guardRuleNames), count('Messages that this rule holds.'))
            .describe('The same by rule; a rule that holds none is left out.'),
        })
        .describe('What waits to protect the numbers; up to 100,000 are counted.'),
    }).meta({ id: 'MessageCounts', description: 'How many messages there are.' }),
    example: {
      output: {
        totalMessages: 1204,
        sent: 1187,
        delivered: 1160,
        failed: 17,
        alerts: 950,
        bulk: 240,
        otp: 14,
        last24h: 86,
        last7d: 511,
        held: { total: 3, rules: { quiet_hours: 3 } },
      },
    },
    msgctl: 'msgctl stats',
  }),
}

type Messages = typeof history & typeof queueRoutes

/** The message history, the queue, and counts. */
export const messages: Messages = { ...history, ...queueRoutes }
