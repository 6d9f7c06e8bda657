import type { adminEndpoints, Contract, Details, endpoints, Message, Route } from '@msgctl/contract'
import { expectTypeOf } from 'vitest'
import type { AdminResources } from './admin.ts'
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

// Every route of the contract has its own name, and there are no others.
type Routed<T> = T extends Route ? T : never
type CallsOf<R extends keyof Contract> = {
  readonly [K in R]: { readonly [N in keyof Contract[K]]: Call<Routed<Contract[K][N]>> }
}
expectTypeOf<Resources>().toEqualTypeOf<CallsOf<keyof typeof endpoints>>()
expectTypeOf<AdminResources>().toEqualTypeOf<CallsOf<keyof typeof adminEndpoints>>()

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

// Path parameters are in the same object.
expectTypeOf(client.messages.get).parameter(0).toEqualTypeOf<{ id: string }>()
expectTypeOf(client.reminders.update).parameter(0).toHaveProperty('id')
expectTypeOf(client.reminders.update).parameter(0).toHaveProperty('label')

// An input with only optional fields can be left out.
expectTypeOf(client.account.me).toBeCallableWith()
expectTypeOf(client.messages.list).toBeCallableWith()
expectTypeOf(client.messages.list).toBeCallableWith({}, { timeoutMs: 1 })
expectTypeOf(client.numbers.start).toBeCallableWith()

// Only calls that take an Idempotency-Key accept one.
expectTypeOf(client.account.me).parameter(1).toEqualTypeOf<CallOptions | undefined>()
// @ts-expect-error Verifying a code takes no key: a repeat would use up an attempt.
void client.otp.verify({ requestId: 'r', code: '1234' }, { idempotencyKey: 'k' })

// Responses have the types of the contract.
expectTypeOf(client.messages.list()).resolves.toHaveProperty('messages').toEqualTypeOf<Message[]>()
expectTypeOf(client.messages.list.withResponse())
  .resolves.toHaveProperty('requestId')
  .toEqualTypeOf<string | undefined>()
expectTypeOf(client.messages.list.withResponse()).resolves.toHaveProperty('data').toHaveProperty('total').toBeNumber()

// Only paged routes have all(), without the input for pages.
expectTypeOf(client.messages.list.all()).toEqualTypeOf<AsyncGenerator<Message, void, undefined>>()
expectTypeOf(client.events.list.all()).toExtend<AsyncGenerator<{ id: string; event: string }>>()
expectTypeOf(client.reminders.list.all).parameter(0).not.toHaveProperty('page')
expectTypeOf(client.numbers.history.all).toBeFunction()
expectTypeOf(client.webhook.deliveries.all).toBeFunction()
expectTypeOf(client.campaigns.recipients.all).toBeFunction()
expectTypeOf(client.campaigns.list).not.toHaveProperty('all')
expectTypeOf(client.account.me).not.toHaveProperty('all')

// A stream yields the events of the contract, narrowed by their type.
type StreamedEvent = ReturnType<typeof client.events.stream> extends EventStream<infer T> ? T : never
expectTypeOf<Extract<StreamedEvent, { event: 'message.failed' }>['data']>().toHaveProperty('errorCode')
expectTypeOf(client.events.stream).not.toHaveProperty('withResponse')
expectTypeOf(client.events.stream).toBeCallableWith({ types: ['message.failed', 'message.read'] })
expectTypeOf(client.events.stream).toBeCallableWith({ types: 'message.failed,message.read' })
// @ts-expect-error There is no such event type.
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
