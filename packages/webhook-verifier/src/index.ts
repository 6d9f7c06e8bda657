export type { RawBody } from './body.ts'
export { type RefusalReason, WebhookVerificationError } from './error.ts'
export type { DeliveryFacts, KnownEvent, KnownKind, UnknownEvent, UnknownKind, VerifiedEvent } from './events.ts'
export type * from './generated/events.ts'
export {
  createHandler,
  type EventHandlers,
  type HandledDelivery,
  type HandlerOptions,
  type WebhookHandler,
} from './handler.ts'
export type { HeaderLookup, WebhookHeaders } from './headers.ts'
export { type DuplicateStore, memoryStore } from './run-once.ts'
export type { SecretSource, WebhookSecret } from './secrets.ts'
export { sign } from './sign.ts'
export { type VerifyOptions, verify } from './verify.ts'
