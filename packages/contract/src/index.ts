export * from './access.ts'
export { type RecipientStatus, recipientStatuses } from './campaign-records.ts'
export { type Contact, optInWord, optOutWord, standardOptOutWords } from './contacts.ts'
export * from './contract.ts'
export * from './endpoints.ts'
export * from './envelope.ts'
export * from './errors.ts'
export * from './events.ts'
export { type Priority, priority } from './fields.ts'
export { instant } from './instants.ts'
export { type KeyOwner, keyForms, keyPrefixes, signingSecretForm } from './keys.ts'
export * from './limits.ts'
export {
  type Message,
  type MessageType,
  messageTypes,
  type TimelineStep,
  timelineSteps,
} from './messages.ts'
export * from './moves.ts'
export {
  type ConnectionAction,
  type ConnectionState,
  connectionActions,
  type NumberRecord,
} from './number-records.ts'
export { type SendGroupMode, sendGroupModes } from './numbers.ts'
export { normalizePhone } from './phone.ts'
export { type Reminder, type Repeat, repeats } from './reminders.ts'
export * from './route.ts'
export * from './states.ts'
export { placeholder, variableKey } from './variables.ts'
export { type DeliveryStatus, deliveryStatuses } from './webhook.ts'
