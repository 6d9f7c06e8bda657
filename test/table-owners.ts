/**
 * The folder under the server's src that writes each table. Other folders read it, and write it through functions that the
 * owner exports. A trigger may write any table.
 */
export const tableOwners: Readonly<Record<string, string>> = {
  service_clock: 'db/',
  organizations: 'organizations/',
  organization_products: 'organizations/',
  users: 'organizations/',
  members: 'organizations/',
  activity_log: 'activity/',
  attempt_windows: 'auth/',
  user_tokens: 'access/',
  api_keys: 'access/',
  change_limits: 'access/',
  server_secrets: 'otp/',
  idempotency_keys: 'idempotency/',
  numbers: 'numbers/',
  number_history: 'numbers/',
  send_groups: 'numbers/',
  lanes: 'messages/',
  messages: 'messages/',
  campaign_pacing: 'messages/',
  trial_usage: 'messages/',
  pending_receipts: 'messages/',
  poll_votes: 'messages/',
  message_count_changes: 'messages/',
  message_hours: 'messages/',
  message_totals: 'messages/',
  message_texts: 'messages/',
  message_text_changes: 'messages/',
  campaigns: 'campaigns/',
  campaign_recipients: 'campaigns/',
  campaign_counts: 'campaigns/',
  campaign_count_changes: 'campaigns/',
  reminders: 'reminders/',
  reminder_sends: 'reminders/',
  otp_requests: 'otp/',
  recipient_checks: 'recipients/',
  recipient_check_budgets: 'recipients/',
  events: 'events/',
  event_positions: 'events/',
  event_streams: 'events/',
  webhooks: 'webhook/',
  webhook_deliveries: 'webhook/',
  contacts: 'contacts/',
  opt_out_keywords: 'contacts/',
  chats: 'chats/',
  chat_messages: 'chats/',
  chat_changes: 'chats/',
  pending_changes: 'inbound/',
  history_imports: 'inbound/',
  sim_sessions: 'simulator/',
  sim_people: 'simulator/',
  sim_messages: 'simulator/',
  sim_events: 'simulator/',
  sim_faults: 'simulator/',
  sim_fault_hits: 'simulator/',
}

const inItsTransaction = 'one statement stores an event with its deliveries'
const joins = 'a contact that two contacts become takes over their chats'
const phoneChanges = 'an edit on a phone changes the message and the chat in one transaction'
const removals = 'what a removed number leaves behind is deleted together'

/** Files that write a table of another folder, each with the reason. The list only gets shorter. */
export const foreignWriters: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'contacts/import-store.ts': { history_imports: 'contacts/ stands below inbound/ and requests the import' },
  'contacts/link-store.ts': { chats: joins, chat_messages: joins, chat_changes: joins },
  'events/replay-store.ts': { webhook_deliveries: inItsTransaction },
  'events/store.ts': { webhook_deliveries: inItsTransaction },
  'inbound/change-store.ts': { chat_messages: phoneChanges },
  'inbound/orphan-store.ts': { chats: removals, chat_messages: removals, chat_changes: removals },
  'numbers/records/store.ts': { api_keys: 'the key of a number is deleted with it' },
}
