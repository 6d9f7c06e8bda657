import type { Input, Output, Parsed, Route } from '@msgctl/contract'
import type { CallOptions, SendOptions } from './prepare.ts'
import type { EventStream, StreamOptions } from './stream.ts'
import type { TransportResponse } from './transport.ts'

/** An answer with what came around it. */
export interface WithResponse<T> {
  readonly data: T
  /** Status and headers; the body has been read. */
  readonly response: Pick<TransportResponse, 'status' | 'headers'>
  readonly requestId: string | undefined
}

/** A list that travels as text with commas may be given as a list. */
type WithLists<In, Out> = {
  [K in keyof In]: K extends keyof Out
    ? NonNullable<Out[K]> extends readonly (infer Item)[]
      ? In[K] | readonly Item[]
      : In[K]
    : In[K]
}

/** The flat input of a route: path parameters, query and body in one object. */
export type InputOf<R> = R extends { readonly query: unknown } ? WithLists<Input<R>, Parsed<R>['query']> : Input<R>

/** What a route takes beside its input. */
type OptionsOf<R> = R extends { readonly idempotent: true } ? SendOptions : CallOptions

/** Input may be left out when all of it is optional. */
type Arguments<I, O> = Record<never, never> extends I ? [input?: I, options?: O] : [input: I, options?: O]

/** A route as a function: its input, then options. Rejects with a `MessagingError`. */
interface PlainCall<I, O, T> {
  (...args: Arguments<I, O>): Promise<T>
  /** The same call, answered with status, headers and request id beside the data. */
  withResponse(...args: Arguments<I, O>): Promise<WithResponse<T>>
}

/** A route whose answer is one page of many. */
interface PagedCall<I, O, T> extends PlainCall<I, O, T> {
  /** Every row of every page, fetched as the loop goes on. A row that moves to a later page meanwhile comes once. */
  all(...args: Arguments<Omit<I, 'page' | 'cursor'>, O>): AsyncGenerator<ItemOf<T>, void, undefined>
}

/** A route whose answer does not end. */
type StreamCall<I, T> = (...args: Arguments<I, StreamOptions>) => EventStream<T>

/** The rows of a page: exactly one of its values is a list. */
type ItemOf<T> = { [K in keyof T]-?: T[K] extends readonly (infer Item)[] ? Item : never }[keyof T]

type AnyPage = { readonly nextCursor: unknown } | { readonly page: number; readonly total: number }

/** How one route of the contract is called. */
export type Call<R extends Route> = R extends { readonly stream: true }
  ? StreamCall<InputOf<R>, Output<R>>
  : Output<R> extends AnyPage
    ? PagedCall<InputOf<R>, OptionsOf<R>, Output<R>>
    : PlainCall<InputOf<R>, OptionsOf<R>, Output<R>>
