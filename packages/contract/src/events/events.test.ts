import { describe, expect, expectTypeOf, it } from 'vitest'
import type * as z from 'zod'
import { type Product, products } from '../access.ts'
import { eventExamples } from '../examples/events.ts'
import { readFixture, tableRows } from '../fixtures/tables.ts'
import {
  type EventData,
  type EventKind,
  eventKinds,
  events,
  type LoggedEvent,
  loggedEvent,
  receivesEvent,
  type WebhookEvent,
  webhookBody,
} from './events.ts'

const text = readFixture('events.txt')
const rows = tableRows(text)
const named = (words: string) => products.filter((name) => new RegExp(`\\b${name}\\b`, 'i').test(words))
const shown = rows.flatMap(([kinds = '', , audience = '']) => kinds.split(', ').map((kind) => ({ kind, audience })))
const fieldsOf = (kind: EventKind) => Object.keys(events[kind].data.shape)
const fieldsToCome = ['clientReference', 'botId', 'conversationId']
/** Kinds that the specification does not have. */
const ownKinds: readonly EventKind[] = ['campaign.completed', 'campaign.failed', 'number.warning']

describe('the kinds of events', () => {
  it("are those of the specification's table, the rare message.sent that it mentions, and our own", () => {
    expect([...eventKinds].sort()).toEqual([...shown.map(({ kind }) => kind), 'message.sent', ...ownKinds].sort())
    expect(text).toContain('(message.sent is rare)')
  })

  it.each(shown)('reach who the specification says: $kind', ({ kind, audience }) => {
    const { audience: ours } = events[kind as EventKind]
    expect([...ours].sort()).toEqual(named(audience).sort())
  })

  it.each<[EventKind, Product[], boolean]>([
    ['message.read', ['developer'], true],
    ['message.read', ['notify', 'assistant', 'shop', 'connect'], false],
    ['bot.handoff', ['assistant'], true],
    ['commerce.order', ['assistant'], false],
    ['commerce.order', ['shop'], true],
    ['message.sent', [], false],
  ])('%s is heard with %j: %s', (kind, active, heard) => {
    expect(receivesEvent(kind, new Set(active))).toBe(heard)
  })
})

describe('the payloads', () => {
  /** The bullet of the fixture that shows the payload of `kind`. */
  const wordsOf = (kind: EventKind) => {
    const bullet = text.split('\n').find((line) => /^[-*] /.test(line) && line.includes(kind))
    if (bullet === undefined) throw new Error(`the fixture shows no payload of ${kind}`)
    return bullet
  }
  const ownFields: Partial<Record<EventKind, string[]>> = {
    'message.inbound': ['attachment'],
    'message.failed': ['botId', 'clientReference', 'conversationId', 'error', 'errorCode'],
    'poll.vote': ['clientReference', 'messageId', 'timestamp'],
    'session.recovered': ['queueHeld'],
  }
  /** Fields that a bullet names by pointing at the one before it. */
  const pointedAt = ['containerId', 'numberPhone', 'session']

  it.each(eventKinds.filter((kind) => kind !== 'message.sent' && !ownKinds.includes(kind)))(
    'of %s hold fields that the specification names',
    (kind) => {
      const added = ownFields[kind] ?? fieldsToCome
      const words = wordsOf(kind)
      const unnamed = fieldsOf(kind).filter((field) => !new RegExp(`\\b${field}\\b`).test(words))
      expect(unnamed.filter((field) => !added.includes(field) && !pointedAt.includes(field))).toEqual([])
    },
  )

  it.each<[EventKind, string[], string[]]>([
    [
      'message.inbound',
      ['sender', 'senderName', 'body', 'messageType', 'gatewayMessageId', 'containerId', 'numberPhone', 'timestamp'],
      ['isGroup', 'groupId', 'latitude', 'longitude', 'selectedButtonId', 'selectedRowId', 'attachment'],
    ],
    [
      'message.delivered',
      ['messageId', 'recipient', 'type', 'status', 'gatewayMessageId', 'containerId', 'numberPhone', 'timestamp'],
      ['botId', 'campaignId', 'clientReference', 'conversationId'],
    ],
    [
      'session.disconnected',
      ['status', 'message', 'lastAttempt', 'containerId', 'numberPhone', 'session', 'timestamp'],
      ['retriesExhausted', 'reason'],
    ],
    ['session.needs_scan', ['status', 'containerId', 'numberPhone', 'session'], []],
    ['session.recovered', ['status', 'recoveredAt', 'containerId', 'numberPhone', 'session'], ['queueHeld']],
    ['number.warning', ['reason', 'message', 'containerId', 'numberPhone', 'session', 'timestamp'], []],
    ['bot.handoff', ['botId', 'conversationId', 'contactPhone', 'question', 'timestamp'], ['lang', 'reason']],
    ['commerce.order', ['botId', 'contactPhone', 'orderNumber', 'total', 'currency', 'timestamp'], []],
    ['poll.vote', ['vote', 'poll', 'messageId', 'containerId', 'numberPhone', 'timestamp'], ['clientReference']],
  ])('of %s demand %j and allow %j', (kind, required, optional) => {
    const shape: Record<string, z.ZodType> = events[kind].data.shape
    const isOptional = (field: string) => shape[field]?.safeParse(undefined).success === true
    expect(fieldsOf(kind).filter(isOptional).sort()).toEqual([...optional].sort())
    expect(
      fieldsOf(kind)
        .filter((field) => !isOptional(field))
        .sort(),
    ).toEqual([...required].sort())
  })

  it('give message.sent the shape of message.delivered', () => {
    expect(fieldsOf('message.sent')).toEqual(fieldsOf('message.delivered'))
  })
})

describe('a webhook body', () => {
  it.each(eventKinds)('of kind %s takes its example, and as a logged event with its id', (kind) => {
    const example = eventExamples[kind]
    expect(webhookBody(kind).parse(example)).toEqual(example)
    const logged = { id: '7c9e6679-7425-40de-944b-e07fc1f90ae7', ...example }
    expect(loggedEvent.parse(logged)).toEqual(logged)
  })

  it.each<[string, EventKind, Record<string, unknown>]>([
    ['the status of another kind', 'message.delivered', { status: 'read' }],
    ['a time that is not ISO 8601 UTC', 'message.read', { timestamp: '03/11/2026' }],
    ['an unknown errorCode', 'message.failed', { errorCode: 'OOPS' }],
    ['another reason than instance_down', 'session.disconnected', { reason: 'tired' }],
    ['an unknown reason', 'bot.needs_review', { reason: 'bored' }],
  ])('refuses %s', (_what, kind, change) => {
    const example = eventExamples[kind]
    expect(webhookBody(kind).safeParse({ ...example, data: { ...example.data, ...change } }).success).toBe(false)
  })

  it('is narrowed by its event', () => {
    const seen = (event: WebhookEvent) => (event.event === 'message.failed' ? event.data.errorCode : event.event)
    expect(seen(eventExamples['message.failed'])).toBe('NUMBER_NOT_ON_NETWORK')
    expect(seen(eventExamples['poll.vote'])).toBe('poll.vote')
    expectTypeOf<Extract<WebhookEvent, { event: 'message.read' }>['data']>().toEqualTypeOf<EventData<'message.read'>>()
    expectTypeOf<Extract<LoggedEvent, { event: 'poll.vote' }>['id']>().toEqualTypeOf<string>()
    expectTypeOf<EventData<'message.inbound'>['numberPhone']>().toEqualTypeOf<string | null>()
  })
})
