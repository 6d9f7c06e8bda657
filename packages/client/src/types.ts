import type { Input, Output, Parsed, Route } from '@msgctl/contract'
import type { CallOptions, SendOptions } from './prepare.ts'
import type { EventStream, StreamOptions } from './stream.ts'
import type { TransportResponse } from './transport.ts'

/** A response with its status and headers. */
export interface WithResponse<T> {
  readonly data: T
  /** Status and headers. The body has been read. */
  readonly response: Pick<TransportResponse, 'status' | 'headers'>
  readonly requestId: string | undefined
}

/** Accepts a list where the query has its entries joined by commas. */
type WithLists<In, Out> = {
  [K in keyof In]: K extends keyof Out
    ? NonNullable<Out[K]> extends readonly (infer Item)[]
      ? In[K] | readonly Item[]
      : In[K]
    : In[K]
}

/** The flat input of a route: path parameters, query and body in one object. */
export type InputOf<R> = R extends { readonly query: unknown } ? WithLists<Input<R>, Parsed<R>['query']> : Input<R>

/** The options of a route. */
type OptionsOf<R> = R extends { readonly idempotent: true } ? SendOptions : CallOptions

/** The input can be left out when all of its fields are optional. */
type Arguments<I, O> = Record<never, never> extends I ? [input?: I, options?: O] : [input: I, options?: O]

/** A route as a function: its input, then options. Rejects with a `MessagingError`. */
interface PlainCall<I, O, T> {
  (...args: Arguments<I, O>): Promise<T>
  /** Makes the same call and resolves with status, headers and request id beside the data. */
  withResponse(...args: Arguments<I, O>): Promise<WithResponse<T>>
}

/** A route that returns one page of many. */
interface PagedCall<I, O, T> extends PlainCall<I, O, T> {
  /** Yields every row of every page, and fetches pages as needed. A row that moves to a later page is yielded once. */
  all(...args: Arguments<Omit<I, 'page' | 'cursor'>, O>): AsyncGenerator<ItemOf<T>, void, undefined>
}

/** A route that returns a stream. */
type StreamCall<I, T> = (...args: Arguments<I, StreamOptions>) => EventStream<T>

/** The rows of a page: exactly one of its values is a list. */
type ItemOf<T> = { [K in keyof T]-?: T[K] extends readonly (infer Item)[] ? Item : never }[keyof T]

type AnyPage = { readonly nextCursor: unknown } | { readonly page: number; readonly total: number }

/** The function for one route of the contract. */
export type Call<R extends Route> = R extends { readonly stream: true }
  ? StreamCall<InputOf<R>, Output<R>>
  : Output<R> extends AnyPage
    ? PagedCall<InputOf<R>, OptionsOf<R>, Output<R>>
    : PlainCall<InputOf<R>, OptionsOf<R>, Output<R>>
