import type { Contract, Input, Output, Parsed, Route } from '@msgctl/contract'
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
export type InputOf<R> = WithLists<Input<R>, Parsed<R>['query']>

/** What a route takes beside its input. */
type OptionsOf<R> = R extends { readonly idempotent: true } ? SendOptions : CallOptions

/** Input may be left out when all of it is optional. */
type Arguments<I, O> = Record<never, never> extends I ? [input?: I, options?: O] : [input: I, options?: O]

/** A route as a function: its input, then options. Rejects with a `MessagingError`. */
interface PlainCall<R extends Route> {
  (...args: Arguments<InputOf<R>, OptionsOf<R>>): Promise<Output<R>>
  /** The same call, answered with status, headers and request id beside the data. */
  withResponse(...args: Arguments<InputOf<R>, OptionsOf<R>>): Promise<WithResponse<Output<R>>>
}

type ItemOf<T> = { [K in keyof T]-?: T[K] extends readonly (infer Item)[] ? Item : never }[keyof T]
type InputToAll<R> = Omit<InputOf<R>, 'page' | 'cursor'>

/** A route whose answer is one page of many. */
interface PagedCall<R extends Route> extends PlainCall<R> {
  /** Every row of every page, fetched as the loop goes on. A row that moves to a later page meanwhile comes once. */
  all(...args: Arguments<InputToAll<R>, CallOptions>): AsyncGenerator<ItemOf<Output<R>>, void, undefined>
}

/** A route whose answer does not end. */
type StreamCall<R extends Route> = (...args: Arguments<InputOf<R>, StreamOptions>) => EventStream<Output<R>>

type IsPaged<T> = T extends { readonly nextCursor: unknown } | { readonly page: number; readonly total: number }
  ? true
  : false

/** How one route of the contract is called. */
export type Call<R extends Route> = R extends { readonly stream: true }
  ? StreamCall<R>
  : IsPaged<Output<R>> extends true
    ? PagedCall<R>
    : PlainCall<R>

type Routed<T> = T extends Route ? T : never

/** Every route of the contract under its own name: `alert.send`, `messages.list`. */
export type Resources = {
  readonly [R in keyof Contract]: { readonly [N in keyof Contract[R]]: Call<Routed<Contract[R][N]>> }
}
