export * from './access.ts'
export * from './contract.ts'
export * from './errors/errors.ts'
export * from './events/events.ts'
export * from './generated/admin-endpoints.ts'
export * from './generated/assistant-endpoints.ts'
export * from './generated/endpoints.ts'
export * from './model/assistant.ts'
export * from './model/billing.ts'
export * from './model/envelope.ts'
export { type Priority, priority } from './model/fields.ts'
export { type GuardRule, guardRuleNames, guardRules } from './model/guard.ts'
export { instant, isLocalTime } from './model/instants.ts'
export * from './model/limits.ts'
export * from './model/money.ts'
export * from './model/moves.ts'
export * from './model/number-reasons.ts'
export { normalizePhone } from './model/phone.ts'
export { placeholder, variableKey } from './model/placeholders.ts'
export { plainText } from './model/plain-text.ts'
export * from './model/states.ts'
export * from './route.ts'
export type { Bot, BotHours, BotTexts, NewBot } from './routes/bots/bot-records.ts'
export type { BotAnswer, BotReview } from './routes/bots/knowledge.ts'
export type { BotOrder, BotProduct } from './routes/bots/shop-records.ts'
export { type RecipientStatus, recipientStatuses } from './routes/campaign-records.ts'
export { type ChatShow, chatShows } from './routes/chats.ts'
export { type Contact, optInWord, optOutWord, standardOptOutWords } from './routes/contacts.ts'
export { connectionTokenForms, type KeyOwner, keyForms, keyPrefixes, signingSecretForm } from './routes/keys.ts'
export { type ActionState, actionStates } from './routes/mcp/actions.ts'
export { type AiScope, aiScopes } from './routes/mcp/records.ts'
export {
  type Message,
  type MessageSender,
  type MessageType,
  messageSenders,
  messageTypes,
  type TimelineStep,
  timelineSteps,
} from './routes/messages.ts'
export {
  type ConnectionAction,
  type ConnectionState,
  connectionActions,
  type NumberGuard,
  type NumberRecord,
} from './routes/number-records.ts'
export { type SendGroupMode, sendGroupModes } from './routes/numbers.ts'
export { type QueueWait, queueWaits } from './routes/queue.ts'
export { type Reminder, type Repeat, repeats } from './routes/reminders.ts'
export { type DeliveryStatus, deliveryStatuses } from './routes/webhook.ts'
export type { WebhookEndpoint } from './routes/webhook-endpoints.ts'
export { endpointTraits } from './traits.ts'
