import type { Contract, Details, Message, Route } from '@msgctl/contract'
import { expectTypeOf } from 'vitest'
import {
  type Call,
  type CallOptions,
  type EventStream,
  isMessagingError,
  type MessagingClient,
  type MessagingError,
  type Resources,
  type SendOptions,
  type Transport,
} from './index.ts'

declare const client: MessagingClient
declare const error: unknown

// Every route of the contract stands under its own name, and nothing else does.
type Routed<T> = T extends Route ? T : never
expectTypeOf<Resources>().toEqualTypeOf<{
  readonly [R in keyof Contract]: { readonly [N in keyof Contract[R]]: Call<Routed<Contract[R][N]>> }
}>()

// A call takes one flat input, then options.
expectTypeOf(client.alert.send).parameter(0).toHaveProperty('phone')
expectTypeOf(client.alert.send).parameter(0).toHaveProperty('message')
expectTypeOf(client.alert.send({ phone: '+1', message: 'hi' })).resolves.toHaveProperty('messageId')
expectTypeOf(client.alert.send).parameter(1).toEqualTypeOf<SendOptions | undefined>()
// @ts-expect-error A message is required.
void client.alert.send({ phone: '+1' })
// @ts-expect-error A priority is one of three words.
void client.alert.send({ phone: '+1', message: 'hi', priority: 'urgent' })
// @ts-expect-error The input itself is required.
void client.alert.send()

// Path parameters stand in the same object.
expectTypeOf(client.messages.get).parameter(0).toEqualTypeOf<{ id: string }>()
expectTypeOf(client.reminders.update).parameter(0).toHaveProperty('id')
expectTypeOf(client.reminders.update).parameter(0).toHaveProperty('label')

// What is all optional may be left out.
expectTypeOf(client.account.me).toBeCallableWith()
expectTypeOf(client.messages.list).toBeCallableWith()
expectTypeOf(client.messages.list).toBeCallableWith({}, { timeoutMs: 1 })
expectTypeOf(client.numbers.start).toBeCallableWith()

// Only calls that take an Idempotency-Key can be given one.
expectTypeOf(client.account.me).parameter(1).toEqualTypeOf<CallOptions | undefined>()
// @ts-expect-error Verifying a code takes no key: a repeat would use up a try.
void client.otp.verify({ requestId: 'r', code: '1234' }, { idempotencyKey: 'k' })

// Answers are the contract's.
expectTypeOf(client.messages.list()).resolves.toHaveProperty('messages').toEqualTypeOf<Message[]>()
expectTypeOf(client.messages.list.withResponse())
  .resolves.toHaveProperty('requestId')
  .toEqualTypeOf<string | undefined>()
expectTypeOf(client.messages.list.withResponse()).resolves.toHaveProperty('data').toHaveProperty('total').toBeNumber()

// Only paged routes can be read whole, and their pages are not the caller's business.
expectTypeOf(client.messages.list.all()).toEqualTypeOf<AsyncGenerator<Message, void, undefined>>()
expectTypeOf(client.events.list.all()).toExtend<AsyncGenerator<{ id: string; event: string }>>()
expectTypeOf(client.reminders.list.all).parameter(0).not.toHaveProperty('page')
expectTypeOf(client.numbers.history.all).toBeFunction()
expectTypeOf(client.webhook.deliveries.all).toBeFunction()
expectTypeOf(client.campaigns.recipients.all).toBeFunction()
expectTypeOf(client.campaigns.list).not.toHaveProperty('all')
expectTypeOf(client.account.me).not.toHaveProperty('all')

// A stream is a stream of the contract's events, told apart by their kind.
type StreamedEvent = ReturnType<typeof client.events.stream> extends EventStream<infer T> ? T : never
expectTypeOf<Extract<StreamedEvent, { event: 'message.failed' }>['data']>().toHaveProperty('errorCode')
expectTypeOf(client.events.stream).not.toHaveProperty('withResponse')
expectTypeOf(client.events.stream).toBeCallableWith({ types: ['message.failed', 'message.read'] })
expectTypeOf(client.events.stream).toBeCallableWith({ types: 'message.failed,message.read' })
// @ts-expect-error There is no such kind of event.
client.events.stream({ types: ['message.eaten'] })

// Errors are narrowed by their code.
if (isMessagingError(error)) {
  expectTypeOf(error.code).toEqualTypeOf<string>()
  expectTypeOf(error.details).toEqualTypeOf<Readonly<Record<string, unknown>> | undefined>()
}
if (isMessagingError(error, 'OTP_INVALID_CODE')) {
  expectTypeOf(error.code).toEqualTypeOf<'OTP_INVALID_CODE'>()
  expectTypeOf(error.details.attemptsRemaining).toBeNumber()
}
if (isMessagingError(error, 'RATE_LIMIT', 'RATE_LIMITED')) {
  expectTypeOf(error.details).toEqualTypeOf<Details<'RATE_LIMIT'> | Details<'RATE_LIMITED'>>()
}
if (isMessagingError(error, 'UNKNOWN')) expectTypeOf(error.details.body).toBeString()
if (isMessagingError(error, 'BRAND_NEW')) expectTypeOf(error.code).toEqualTypeOf<'BRAND_NEW'>()
expectTypeOf<MessagingError<'OTP_INVALID_CODE'>>().toExtend<MessagingError>()

// The global fetch is a transport, and so is a function over a Node stream.
expectTypeOf<typeof fetch>().toExtend<Transport>()
expectTypeOf<
  () => Promise<{
    status: number
    headers: Map<string, string> & { get(name: string): string | null }
    body: AsyncIterable<Buffer>
  }>
>().toExtend<Transport>()
