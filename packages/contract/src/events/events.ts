import * as z from 'zod'
import type { Product } from '../access.ts'
import * as data from './event-data.ts'

export { type SendType, sendTypes } from './event-data.ts'

/** One kind of event: when it happens, which products receive it, and the schema of its `data`. */
interface EventEntry {
  readonly when: string
  readonly audience: readonly Product[]
  readonly data: z.ZodObject
}

const forDeveloper = ['developer'] as const
const forAssistants = ['assistant', 'shop', 'developer'] as const

/**
 * Every kind of event (specification, "Events"); those of campaigns are additions. The products active when it happens
 * decide who receives it.
 */
export const events = {
  'message.inbound': { when: 'Someone wrote to the number.', audience: forDeveloper, data: data.inboundData },
  'message.sent': {
    when: 'The network reported by itself that it accepted a message. This is rare.',
    audience: forDeveloper,
    data: data.sentData,
  },
  'message.delivered': { when: 'A message reached the phone.', audience: forDeveloper, data: data.deliveredData },
  'message.read': { when: 'A message was read.', audience: forDeveloper, data: data.readData },
  'message.failed': { when: 'A message failed.', audience: forDeveloper, data: data.failedData },
  'poll.vote': { when: 'Someone voted in a poll that was sent.', audience: forDeveloper, data: data.pollVoteData },
  'session.needs_scan': { when: 'A number must be linked again.', audience: forDeveloper, data: data.needsScanData },
  'session.disconnected': { when: 'A number went down.', audience: forDeveloper, data: data.disconnectedData },
  'session.recovered': { when: 'A number came back.', audience: forDeveloper, data: data.recoveredData },
  'number.warning': {
    when: 'A number may be restricted soon, because of whom it writes to, or its link may end.',
    audience: forDeveloper,
    data: data.numberWarningData,
  },
  'bot.needs_review': { when: 'An assistant could not answer.', audience: forAssistants, data: data.assistantData },
  'bot.handoff': {
    when: 'An assistant handed the chat to a person.',
    audience: forAssistants,
    data: data.assistantData,
  },
  'commerce.order': {
    when: 'A customer placed a cash-on-delivery order with the shop assistant.',
    audience: ['shop', 'developer'],
    data: data.orderData,
  },
  'campaign.completed': {
    when: 'The last message of a campaign was sent or failed.',
    audience: forDeveloper,
    data: data.campaignCompletedData,
  },
  'campaign.failed': {
    when: 'A scheduled campaign could not start for an hour and became a draft again.',
    audience: forDeveloper,
    data: data.campaignFailedData,
  },
} as const satisfies Record<string, EventEntry>

/** The name of a kind of event. New kinds may appear; receivers must tolerate them. */
export type EventKind = keyof typeof events

/** Every kind: those of the specification in its order, then our additions. */
export const eventKinds = Object.keys(events) as [EventKind, ...EventKind[]]

/** The `data` of one kind. */
export type EventData<K extends EventKind = EventKind> = z.output<(typeof events)[K]['data']>

/** The body of a webhook delivery: one member for each kind, discriminated by `event`. */
export type WebhookEvent = { [K in EventKind]: { event: K; data: EventData<K>; timestamp: string } }[EventKind]

/** An event as the event log and the stream show it; `id` equals the X-Service-Delivery header of its webhook. */
export type LoggedEvent = WebhookEvent & { id: string }

/** Returns whether an organization with the products `active` receives events of `kind`. */
export function receivesEvent(kind: EventKind, active: ReadonlySet<Product>): boolean {
  return events[kind].audience.some((product) => active.has(product))
}

/** Returns the schema of the body of a webhook delivery. */
export function webhookBody<const K extends EventKind>(kind: K) {
  return z.object({
    event: z.literal(kind).describe('The kind of event.'),
    data: events[kind].data,
    timestamp: z.iso.datetime().describe('When the event happened, ISO 8601 UTC.'),
  })
}

/** Returns the name of an event in the OpenAPI document: `MessageDelivered` for `message.delivered`. */
export function eventName(kind: EventKind): string {
  return kind.replace(/(?:^|[._])(.)/g, (_match, letter: string) => letter.toUpperCase())
}

function loggedBody(kind: EventKind) {
  const id = z.uuid().describe('The id of the event, equal to X-Service-Delivery of its webhook.')
  const body = z.object({ id, ...webhookBody(kind).shape })
  return body.meta({ id: `${eventName(kind)}Event`, description: events[kind].when })
}

const [first, ...rest] = eventKinds

/** One item of the event log and of the stream: `{id, event, data, timestamp}`, discriminated by `event`. */
export const loggedEvent = z.discriminatedUnion('event', [loggedBody(first), ...rest.map(loggedBody)]).meta({
  id: 'LoggedEvent',
  description: 'An event of the log or of the stream. New kinds may appear.',
}) as unknown as z.ZodType<LoggedEvent, LoggedEvent>

/** Returns the schema of the headers of a webhook delivery (specification, "Delivery rules"). */
export function webhookHeaders(kind: EventKind) {
  return z.object({
    'X-Service-Event': z.literal(kind).describe('The kind of event, equal to event in the body.'),
    'X-Service-Delivery': z
      .uuid()
      .describe('The id of the event, the same on every retry: drop ids that you have seen.'),
    'X-Service-Signature': z
      .string()
      .optional()
      .describe(
        't=<unix seconds>,v1=<hex>: HMAC-SHA256 under the signing secret over t, a dot and the raw body. Two ' +
          'v1 while secrets overlap. Absent when the server has no encryption set up.',
      ),
    'X-Service-Replay': z.literal('true').optional().describe('Present if the event is delivered again on request.'),
    'X-Service-Sample': z.literal('true').optional().describe('Present if the event is a sample: nothing happened.'),
  })
}
