import type { ClientErrorCode, MessagingError } from './error.ts'
import type { CallTypes } from './generated/call-types.ts'
import type { CallOptions } from './prepare.ts'
import type { TransportResponse } from './transport.ts'

/** A response with its status and headers. */
export interface WithResponse<T> {
  readonly data: T
  /** Status and headers. The body has been read. */
  readonly response: Pick<TransportResponse, 'status' | 'headers'>
  readonly requestId: string | undefined
}

/** The name of a call: `alert.send`. */
export type CallName = keyof CallTypes

/** The flat input of a call (path parameters, query and body in one object): `InputOf<'alert.send'>`. */
export type InputOf<Name extends CallName> = CallTypes[Name]['input']

/** The response of a call: `OutputOf<'alert.send'>`. */
export type OutputOf<Name extends CallName> = CallTypes[Name]['output']

/** Every code of a call in this version, those of the client included: `CodeOf<'alert.send'>`. */
export type CodeOf<Name extends CallName> = CallTypes[Name]['code'] | ClientErrorCode

/** The errors of some codes, one member for each: `switch (error.code)` narrows `error.details`. */
export type ErrorOfCode<Code extends string> = Code extends string ? MessagingError<Code> : never

/** Every error of a call: `ErrorOf<'alert.send'>`. */
export type ErrorOf<Name extends CallName> = ErrorOfCode<CodeOf<Name>>

/** The input can be left out when all of its fields are optional. */
type Arguments<I, O> = Record<never, never> extends I ? [input?: I, options?: O] : [input: I, options?: O]

/** A route as a function: its input, then options. Rejects with a `MessagingError`. */
export interface PlainCall<I, O extends CallOptions, T, Code extends string> {
  (...args: Arguments<I, O>): Promise<T>
  /** Makes the same call and resolves with status, headers and request id beside the data. */
  withResponse(...args: Arguments<I, O>): Promise<WithResponse<T>>
  /**
   * Returns whether an error comes from this call, and narrows it to the codes of this call, so that the compiler
   * checks that a `switch (error.code)` handles all of them. Newer services can have more, so keep a `default` branch.
   */
  isError(error: unknown): error is ErrorOfCode<Code | ClientErrorCode>
}

/** The rows of every page. */
export interface Rows<Row> extends AsyncGenerator<Row, void, undefined> {
  /** Returns the rows as a list, at most `limit` of them (default: 10,000). */
  toArray(limit?: number): Promise<Row[]>
}

/** A route that returns one page of many. */
export interface PagedCall<I, O extends CallOptions, T, Code extends string> extends PlainCall<I, O, T, Code> {
  /** Yields every row of every page, and fetches pages as needed. A row that moves to a later page is yielded once. */
  all(...args: Arguments<Omit<I, 'page' | 'cursor'>, O>): Rows<ItemOf<T>>
}

/** The rows of a page: exactly one of its values is a list. */
type ItemOf<T> = { [K in keyof T]-?: T[K] extends readonly (infer Item)[] ? Item : never }[keyof T]
