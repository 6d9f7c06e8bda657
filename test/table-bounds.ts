/** What keeps a table from growing without bound. */
export type TableBound =
  /** A limit of the contract: `limits.bots.products`. The test shows how the next row is refused, through HTTP. */
  | { readonly quota: string; readonly refusedIn: string }
  /** A job of the jobs.ts of a room, which deletes the rows, or rolls them up. */
  | { readonly retention: string }
  /** The table to whose rows its rows belong, and how many to each. */
  | { readonly parent: string; readonly atMost: number | string }
  /** Why it needs no bound, or has one that is neither. */
  | { readonly fixed: string }

const oneRow = { fixed: 'one row' } as const
const forEach = (parent: string, atMost: number | string) => ({ parent, atMost })
const unsent = { quota: 'unsent.rows', refusedIn: 'sending/messages/unsent-quota.test.ts' } as const

/**
 * The bound of each table. What one request can add is bounded by the contract; this is about what many requests add.
 * The changes of an organization are 300 a minute, so a retention bounds its rows too.
 */
export const tableBounds: Readonly<Record<string, TableBound>> = {
  // The service.
  attempt_windows: { retention: 'sign-ins.cleanup' },
  database_identity: oneRow,
  erasures: { fixed: 'a row for each organization that was erased: 100 bytes' },
  gateway_hosts: { retention: 'gateway-messages.cleanup' },
  gateway_web_version: oneRow,
  oauth_clients: { retention: 'ai-clients.cleanup' },
  oauth_requests: { retention: 'ai-requests.cleanup' },
  reset_requests: { retention: 'mail.reset-links' },
  server_secrets: { fixed: 'a row for each purpose in the code' },
  service_clock: oneRow,
  suspects: { retention: 'suspects.cleanup' },
  waha_hosts: { fixed: 'operators add them' },
  work_batches: {
    fixed: 'a row for each loop of a process that works; those of dead processes are deleted when counted',
  },

  // Organizations and people.
  organizations: { quota: 'ownedOrganizations', refusedIn: 'people/team/codes.test.ts' },
  organization_products: forEach('organizations', 'a product'),
  send_groups: forEach('organizations', 1),
  change_limits: forEach('organizations', 1),
  members: { quota: 'team', refusedIn: 'people/team/team.test.ts' },
  users: { fixed: 'a person signs up, which SIGNUP_PER_HOUR bounds, or joins a team' },
  user_two_factor: forEach('users', 1),
  recovery_codes: forEach('users', 10),
  account_links: forEach('users', 'a kind of link'),
  user_tokens: { quota: 'sessionsPerPerson', refusedIn: 'people/auth/sessions.test.ts' },
  sign_in_challenges: { retention: 'sign-ins.cleanup' },
  invitations: { retention: 'invitations.cleanup' },
  mails: { retention: 'mail.cleanup' },
  activity_log: { retention: 'activity.cleanup' },
  trial_usage: forEach('organizations', 'a day of the trial'),
  idempotency_keys: { retention: 'idempotency.cleanup' },
  billing_accounts: forEach('organizations', 1),
  billing_invoices: forEach('organizations', 'an invoice of the payment provider: some a month'),
  billing_operations: { retention: 'billing.cleanup' },
  payment_events: { retention: 'billing.cleanup' },

  // Numbers.
  numbers: { quota: 'numbers.rows', refusedIn: 'numbers/quota.test.ts' },
  api_keys: forEach('numbers', '1, and one of the organization'),
  lanes: forEach('numbers', 1),
  number_guards: forEach('numbers', 1),
  number_history: { retention: 'number-history.cleanup' },
  guard_sends: { retention: 'guard.cleanup' },
  history_imports: forEach('numbers', 1),
  recipient_check_budgets: forEach('numbers', 1),
  recipient_checks: { retention: 'checks.cleanup' },

  // Messages. A text that waits for the pace is never refused (specification, "Limits"), and history is kept for its
  // organization unless the operator sets RETENTION_MESSAGES_DAYS. A trial accepts 100 a day.
  messages: { retention: 'messages.retention' },
  message_places: forEach('messages', 1),
  message_texts: forEach('messages', 1),
  message_text_changes: { retention: 'messages.copy-texts' },
  message_count_changes: { retention: 'messages.count' },
  message_hours: forEach('organizations', 'an hour and a kind of message'),
  message_totals: forEach('organizations', 'a kind of message'),
  pending_receipts: { retention: 'messages.sweep' },
  poll_votes: { retention: 'votes.cleanup' },
  uploads: { quota: 'media.storedBytes', refusedIn: 'api/media/uploads/uploads.test.ts' },
  // One that was started has sent a message to each recipient.
  campaigns: unsent,
  campaign_recipients: unsent,
  campaign_counts: forEach('campaigns', 1),
  campaign_count_changes: { retention: 'campaigns.count' },
  campaign_pacing: forEach('organizations', 1),
  campaign_ends: { fixed: 'its rows end with the transaction that adds them' },
  // One that was sent has sent a message.
  reminders: unsent,
  reminder_sends: forEach('messages', 1),
  otp_requests: { retention: 'otp.cleanup' },
  otp_days: { retention: 'otp-days.cleanup' },

  // Events.
  events: { retention: 'events.purge' },
  event_positions: forEach('organizations', 1),
  event_streams: { retention: 'events.purge' },
  webhooks: { quota: 'webhookEndpoints', refusedIn: 'events/webhook/endpoints.test.ts' },
  webhook_deliveries: { retention: 'events.purge' },

  // Conversations. The other contacts are people of address books, and people who wrote.
  contacts: { quota: 'optedOut.rows', refusedIn: 'conversations/contacts/opt-out-quota.test.ts' },
  opt_out_keywords: forEach('organizations', 1),
  chats: forEach('contacts', 'a number'),
  chat_messages: { retention: 'chats.retention' },
  chat_changes: { retention: 'chats.roll-up' },
  pending_changes: { retention: 'chats.change' },

  // Assistants.
  bots: { quota: 'bots.perOrganization', refusedIn: 'conversations/bots/manage.test.ts' },
  bot_numbers: forEach('bots', 20),
  bot_answers: { quota: 'bots.answers', refusedIn: 'conversations/bots/manage.test.ts' },
  bot_questions: forEach('bot_answers', 10),
  bot_conversations: { retention: 'bots.retention' },
  bot_inbox: {
    fixed: 'what people wrote and was not handled: an assistant handles it, or a person does, within minutes',
  },
  bot_turns: { retention: 'bots.cleanup' },
  bot_reviews: { retention: 'bots.retention' },
  bot_products: { quota: 'bots.products', refusedIn: 'conversations/bots/orders/products.test.ts' },
  bot_orders: { fixed: 'the books of a shop: a customer confirmed each, at 120 steps an hour at most' },
  bot_order_lines: forEach('bot_orders', 'a product'),
  bot_order_phones: { quota: 'staffPhones', refusedIn: 'conversations/bots/orders/shop.test.ts' },
  order_numbers: forEach('organizations', 1),
  ai_usage: forEach('organizations', 'a month'),
  bot_voice_notes: { retention: 'bots.transcribe' },

  // AI clients.
  mcp_connections: { retention: 'ai-connections.cleanup' },
  mcp_settings: forEach('organizations', 1),
  mcp_actions: { retention: 'ai-actions.cleanup' },
  mcp_calls: { retention: 'ai-calls.cleanup' },
  mcp_sends: { retention: 'ai-sends.cleanup' },
  mcp_read_texts: { retention: 'ai-reads.cleanup' },
  oauth_codes: { retention: 'ai-requests.cleanup' },
  oauth_tokens: { retention: 'ai-tokens.cleanup' },

  // Networks.
  gateway_sessions: forEach('numbers', 1),
  gateway_keys: forEach(
    'gateway_sessions',
    'a few for each person whom the number writes with, and one for each message of a day',
  ),
  gateway_sent: { retention: 'gateway-messages.cleanup' },
  gateway_history: { retention: 'gateway-messages.cleanup' },
  gateway_inbox: { retention: 'network-reports.cleanup' },
  gateway_last_times: forEach('numbers', 1),
  waha_sessions: forEach('numbers', 1),
  sim_sessions: forEach('numbers', 1),
  sim_people: { fixed: 'people whom a test took offline' },
  sim_messages: { fixed: 'the loop of the simulated network deletes them by age' },
  sim_events: { fixed: 'the loop of the simulated network deletes them when they are due' },
  sim_typing: forEach('sim_sessions', 'a chat in which someone types'),
  sim_faults: oneRow,
  sim_fault_hits: forEach('sim_sessions', 'a fault that a test set'),
  sim_pay_customers: { fixed: 'one for each organization that tried to buy something of the simulator' },
  sim_pay_catalog: { fixed: 'the price list, and its prices of before' },
  sim_pay_requests: { retention: 'sim-pay.cleanup' },
  sim_pay_events: { retention: 'sim-pay.cleanup' },
  sim_pay_faults: { fixed: 'one for each organization for which a test set faults' },
}
