export type * from '@msgctl/webhook-verifier/events'
export type { ChatsReply } from './calls/reply.ts'
export type { EventStreamCall, EventsFor } from './calls/stream-call.ts'
export type { MessagesWait, MessagesWaitInput } from './calls/wait.ts'
export { MessagingClient, type RawRequest } from './client.ts'
export {
  type AnyCode,
  type ClientErrorCode,
  type DetailsOf,
  type ErrorCode,
  type ErrorFields,
  type Issue,
  isMessagingError,
  type KnownCode,
  MessagingError,
  type Outcome,
} from './error.ts'
export type { CallTypes } from './generated/call-types.ts'
export type { ErrorDetails } from './generated/errors.ts'
export type * from './generated/records.ts'
export type { AttemptInfo, AttemptResultInfo, CallHooks, Logger, RetryInfo } from './hooks/observe.ts'
export type { CallOptions, SendOptions } from './prepare.ts'
export type * from './resources.ts'
export type { ClientOptions, Credential } from './settings.ts'
export type { EventStream, Reconnect, StreamOptions } from './stream.ts'
export type { Transport, TransportRequest, TransportResponse } from './transport.ts'
export type {
  CallName,
  CodeOf,
  ErrorOf,
  ErrorOfCode,
  InputOf,
  OutputOf,
  PagedCall,
  PlainCall,
  Rows,
  WithResponse,
} from './types.ts'
