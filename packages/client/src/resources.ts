import type { AccountCalls } from './generated/account.ts'
import type { AlertCalls } from './generated/alert.ts'
import type { AuthCalls } from './generated/auth.ts'
import type { CampaignsCalls } from './generated/campaigns.ts'
import type { ChatsCalls } from './generated/chats.ts'
import type { ContactsCalls } from './generated/contacts.ts'
import type { EventsCalls } from './generated/events.ts'
import type { MessagesCalls } from './generated/messages.ts'
import type { NumbersCalls } from './generated/numbers.ts'
import type { OpenapiCalls } from './generated/openapi.ts'
import type { OtpCalls } from './generated/otp.ts'
import type { RecipientsCalls } from './generated/recipients.ts'
import type { RemindersCalls } from './generated/reminders.ts'
import type { WebhookCalls } from './generated/webhook.ts'

/** Every route of the contract under its own name: `alert.send`, `messages.list`. Written by `npm run calls`. */
export interface Resources {
  /** Single sends, batches, and what can be done with a message afterwards. */
  readonly alert: AlertCalls
  /** Checking long lists of numbers. */
  readonly recipients: RecipientsCalls
  /** The history of messages, and counts. */
  readonly messages: MessagesCalls
  /** One template to many people, now or at a set time. */
  readonly campaigns: CampaignsCalls
  /** One message to one person at a set time, once or repeated. */
  readonly reminders: RemindersCalls
  /** Codes that are sent, and checked once. */
  readonly otp: OtpCalls
  /** Conversations and unread messages. */
  readonly chats: ChatsCalls
  /** The address book, and who asked not to get campaigns. */
  readonly contacts: ContactsCalls
  /** The organization's numbers: linking, state, send group, keys. */
  readonly numbers: NumbersCalls
  /** The account and its key. */
  readonly account: AccountCalls
  /** The webhook address, its signing secret and its deliveries; the events that are posted there. */
  readonly webhook: WebhookCalls
  /** The event log and stream. */
  readonly events: EventsCalls
  /** Sign-up and sign-in. */
  readonly auth: AuthCalls
  /** The description that this reference is made from. */
  readonly openapi: OpenapiCalls
}
