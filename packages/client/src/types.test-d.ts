import type {
  adminEndpoints,
  Contract,
  LoggedEvent as ContractEvent,
  endpoints,
  Input,
  Output,
  Parsed,
  Route,
} from '@msgctl/contract'
import { expectTypeOf } from 'vitest'
import type { AdminResources } from './admin.ts'
import {
  type AnyCode,
  type CallOptions,
  type Campaign,
  type Chat,
  type CodeOf,
  type Contact,
  type Delivery,
  type ErrorDetails,
  type EventStream,
  type InputOf,
  isMessagingError,
  type LoggedEvent,
  type Message,
  type MessagingClient,
  MessagingError,
  type NumberRecord,
  type OutputOf,
  type Reminder,
  type Resources,
  type Rows,
  type SendOptions,
  type Transport,
  type WebhookEvent,
} from './index.ts'

declare const client: MessagingClient
declare const error: unknown

// The generated types are those of the contract: every route, its input, its output and its codes.
type Routed<T> = T extends Route ? T : never
type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T
/** Accepts a list where the query has its entries joined by commas. */
type WithLists<In, Out> = {
  [K in keyof In]: K extends keyof Out
    ? NonNullable<Out[K]> extends readonly (infer Item)[]
      ? In[K] | readonly Item[]
      : In[K]
    : In[K]
}
type ContractInput<R> = R extends { readonly query: unknown } ? WithLists<Input<R>, Parsed<R>['query']> : Input<R>
/** Takes the Date away that the client accepts beside the text of a time. */
type WithoutDates<T> = T extends Date
  ? never
  : T extends string
    ? T
    : T extends readonly (infer Item)[]
      ? readonly WithoutDates<Item>[]
      : T extends object
        ? { [K in keyof T]: WithoutDates<T[K]> }
        : T
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false
/** The client demands one of two fields. */
type Choices = 'alert.sendImage' | 'alert.sendVideo' | 'alert.sendFile' | 'alert.sendVoice'
type Compared = {
  [R in keyof Contract]: {
    [N in keyof Contract[R]]: `${R}.${N & string}` extends infer Name extends keyof import('./index.ts').CallTypes
      ? {
          // The client takes the bytes of an upload, too.
          readonly input: keyof Input<Contract[R][N]> extends never
            ? true
            : Name extends 'media.upload' | Choices
              ? true
              : Same<WithoutDates<InputOf<Name>>, DeepReadonly<ContractInput<Contract[R][N]>>>
          readonly output: Same<OutputOf<Name>, Output<Routed<Contract[R][N]>>>
        }
      : 'missing'
  }
}
type Differences = {
  [R in keyof Compared]: {
    [N in keyof Compared[R]]: Compared[R][N] extends { readonly input: true; readonly output: true }
      ? never
      : [R, N, Compared[R][N]]
  }[keyof Compared[R]]
}[keyof Compared]
expectTypeOf<Differences>().toEqualTypeOf<never>()
expectTypeOf<keyof Resources>().toEqualTypeOf<keyof typeof endpoints>()
expectTypeOf<keyof AdminResources>().toEqualTypeOf<keyof typeof adminEndpoints>()
expectTypeOf<LoggedEvent>().toExtend<ContractEvent>()
expectTypeOf<ContractEvent>().toExtend<LoggedEvent>()

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
expectTypeOf(client.messages.get).parameter(0).toEqualTypeOf<InputOf<'messages.get'>>()
expectTypeOf(client.reminders.update).parameter(0).toHaveProperty('id')
expectTypeOf(client.reminders.update).parameter(0).toHaveProperty('label')

// An input with only optional fields can be left out.
expectTypeOf(client.account.me).toBeCallableWith()
expectTypeOf(client.messages.list).toBeCallableWith()
expectTypeOf(client.messages.list).toBeCallableWith({}, { timeoutMs: 1 })
expectTypeOf(client.numbers.start).toBeCallableWith()

// A file is either a link or an upload, and a time may be a Date.
void client.alert.sendImage({ phone: '+1', imageUrl: 'https://example.com/a.png' })
void client.alert.sendImage({ phone: '+1', mediaId: 'm' })
// @ts-expect-error One of them is needed.
void client.alert.sendImage({ phone: '+1' })
// @ts-expect-error Only one of them.
void client.alert.sendImage({ phone: '+1', imageUrl: 'https://example.com/a.png', mediaId: 'm' })
void client.reminders.create({ phone: '+1', message: 'hi', sendAt: new Date() })
void client.events.list({ since: new Date() })

// A field that the call does not have is refused, also by a stream.
// @ts-expect-error Misspelt.
void client.alert.send({ phone: '+1', message: 'hi', prioritty: 'high' })
// @ts-expect-error Misspelt.
client.events.stream({ typess: ['message.read'] })

// Options are never mistaken for input.
// @ts-expect-error The input of a call without fields takes nothing.
void client.account.me({ timeoutMs: 300 })
// @ts-expect-error Here too.
void client.campaigns.list({ timeoutMs: 300 })
// @ts-expect-error The input of a list has other fields.
void client.messages.list({ timeoutMs: 300 })
// @ts-expect-error A stream takes options as its second argument.
client.events.stream({ types: ['message.read'], signal: AbortSignal.abort() })
expectTypeOf(client.account.me).toBeCallableWith({}, { timeoutMs: 300, maxRetries: 0, deadlineMs: 1000 })

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
expectTypeOf(client.messages.list.all()).toEqualTypeOf<Rows<Message>>()
expectTypeOf(client.messages.list.all()).toExtend<AsyncGenerator<Message, void, undefined>>()
expectTypeOf(client.events.list.all()).toExtend<AsyncGenerator<{ id: string; event: string }>>()
expectTypeOf(client.reminders.list.all).parameter(0).not.toHaveProperty('page')
expectTypeOf(client.numbers.history.all).toBeFunction()
expectTypeOf(client.webhook.deliveries.all).toBeFunction()
expectTypeOf(client.campaigns.recipients.all).toBeFunction()
expectTypeOf(client.campaigns.list).not.toHaveProperty('all')
expectTypeOf(client.account.me).not.toHaveProperty('all')

// A stream yields the events of the contract, narrowed by their type.
expectTypeOf(client.events.stream()).toEqualTypeOf<EventStream<LoggedEvent>>()
expectTypeOf(client.events.stream({ types: 'message.read' })).toEqualTypeOf<EventStream<LoggedEvent>>()
const failures = client.events.stream({ types: ['message.failed', 'campaign.failed'] })
expectTypeOf(failures).toEqualTypeOf<EventStream<LoggedEvent<'message.failed' | 'campaign.failed'>>>()
const ofCampaign = client.events.stream({
  campaignId: 'c',
  types: ['message.failed', 'campaign.completed', 'poll.vote'],
})
type OfCampaign = typeof ofCampaign extends EventStream<infer E> ? E : never
expectTypeOf<OfCampaign['data']['campaignId']>().toEqualTypeOf<string>()
expectTypeOf<OfCampaign['event']>().toEqualTypeOf<'message.failed' | 'campaign.completed'>()
const ofNumber = client.events.stream({ containerId: 'n' })
type OfNumber = typeof ofNumber extends EventStream<infer E> ? E : never
expectTypeOf<OfNumber['data']['containerId']>().toEqualTypeOf<string>()
expectTypeOf(client.events.stream).not.toHaveProperty('withResponse')
expectTypeOf(client.events.stream).toBeCallableWith({ types: ['message.failed', 'message.read'] })
expectTypeOf(client.events.stream).toBeCallableWith({ types: 'message.failed,message.read' })
// @ts-expect-error There is no such event type.
client.events.stream({ types: ['message.eaten'] })

// Errors are narrowed by their code.
if (isMessagingError(error)) {
  expectTypeOf(error.code).toEqualTypeOf<AnyCode>()
}
if (error instanceof MessagingError) expectTypeOf(error.code).toEqualTypeOf<AnyCode>()

// The codes of a call are known, and a switch over them is checked.
if (client.otp.verify.isError(error)) {
  expectTypeOf(error.code).toEqualTypeOf<CodeOf<'otp.verify'>>()
  if (error.code === 'OTP_INVALID_CODE') expectTypeOf(error.details.attemptsRemaining).toBeNumber()
  // @ts-expect-error Verifying a code never checks a template.
  if (error.code === 'OTP_TEMPLATE_MISSING_CODE') throw error
}

// What the client returns has names.
expectTypeOf(client.messages.get({ id: 'm' }))
  .resolves.toHaveProperty('message')
  .toEqualTypeOf<Message>()
expectTypeOf<OutputOf<'campaigns.list'>['campaigns']>().toEqualTypeOf<Campaign[]>()
expectTypeOf<OutputOf<'reminders.list'>['reminders']>().toEqualTypeOf<Reminder[]>()
expectTypeOf<OutputOf<'numbers.list'>['sessions']>().toEqualTypeOf<NumberRecord[]>()
expectTypeOf<OutputOf<'chats.list'>['chats']>().toEqualTypeOf<Chat[]>()
expectTypeOf<OutputOf<'contacts.search'>['contacts']>().toEqualTypeOf<Contact[]>()
expectTypeOf<OutputOf<'webhook.deliveries'>['deliveries']>().toEqualTypeOf<Delivery[]>()
expectTypeOf<WebhookEvent<'message.read'>['data']['status']>().toEqualTypeOf<'read'>()
expectTypeOf(client.chats.reply({ phone: '+1', message: 'hi' })).resolves.toEqualTypeOf<OutputOf<'alert.send'>>()
if (isMessagingError(error, 'OTP_INVALID_CODE')) {
  expectTypeOf(error.code).toEqualTypeOf<'OTP_INVALID_CODE'>()
  expectTypeOf(error.details.attemptsRemaining).toBeNumber()
}
if (isMessagingError(error, 'RATE_LIMIT', 'RATE_LIMITED')) {
  expectTypeOf(error.details).toEqualTypeOf<ErrorDetails['RATE_LIMIT'] | ErrorDetails['RATE_LIMITED']>()
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

// Details without a required field can be absent: this is the response of a send to a number that is not there.
if (isMessagingError(error, 'NUMBER_NOT_ON_NETWORK')) {
  // @ts-expect-error The envelope may have no details.
  error.details.invalidNumbers
  expectTypeOf(error.details?.invalidNumbers).toEqualTypeOf<string[] | undefined>()
}
