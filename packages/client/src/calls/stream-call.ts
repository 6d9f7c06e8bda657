import type { EventKind, LoggedEvent } from '@msgctl/webhook-verifier/events'
import type { EventStream, StreamOptions } from '../stream.ts'

/** The events of the kinds that an input selects: those of its list, otherwise all. */
type Selected<Input> = Input extends { readonly types: readonly (infer Kind)[] }
  ? LoggedEvent<Extract<Kind, EventKind>>
  : LoggedEvent

/** The events whose data has a field, which is then a text. */
type Having<E, Field extends string> = E extends { readonly data: infer Data }
  ? Field extends keyof Data
    ? E & { readonly data: { readonly [F in Field]: string } }
    : never
  : never

/** The events that pass a filter: those without the field never do. */
type Filtered<E, Input, Field extends string> = Input extends { readonly [F in Field]: string } ? Having<E, Field> : E

/** The events of a stream with this input: of its kinds, and of those that can be about its number or campaign. */
export type EventsFor<Input> = Filtered<Filtered<Selected<Input>, Input, 'campaignId'>, Input, 'containerId'>

/** The options that are easily passed as the input. */
interface NoOptions {
  readonly signal?: never
  readonly timeoutMs?: never
  readonly maxRetries?: never
  readonly headers?: never
  readonly idleTimeoutMs?: never
  readonly onReconnect?: never
}

/**
 * A route that returns a stream of events, narrowed by its input. A call without one has a signature of its own, so
 * that editors show the name `LoggedEvent` and not its members.
 */
export interface EventStreamCall<I> {
  (): EventStream<LoggedEvent>
  <const Input extends I & NoOptions>(
    input?: Input & { readonly [Name in Exclude<keyof Input, keyof I | keyof NoOptions>]?: never },
    options?: StreamOptions,
  ): EventStream<EventsFor<Input>>
}

/**
 * A route that returns a stream of records, each of which replaces the one before. After a reconnect it continues with
 * the present one.
 */
export type RecordStreamCall<Record> = (input?: NoOptions, options?: StreamOptions) => EventStream<Record>
