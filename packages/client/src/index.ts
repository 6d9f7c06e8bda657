export { MessagingClient, type RawRequest } from './client.ts'
export {
  type AnyCode,
  type ClientErrorCode,
  type DetailsOf,
  type ErrorFields,
  isMessagingError,
  type KnownCode,
  MessagingError,
  type Outcome,
} from './error.ts'
export type { CallOptions, SendOptions } from './prepare.ts'
export type { Resources } from './resources.ts'
export type { ClientOptions } from './settings.ts'
export type { EventStream, Reconnect, StreamOptions } from './stream.ts'
export type { Transport, TransportRequest, TransportResponse } from './transport.ts'
export type { Call, InputOf, WithResponse } from './types.ts'
