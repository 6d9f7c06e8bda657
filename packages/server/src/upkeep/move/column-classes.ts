import { givenTables } from './given-tables.ts'

/** Why a column is not in the file that an organization is given. */
const reasons = {
  credential: 'lets a person or a program in, or signs for the organization',
  person: 'of people beyond their name, address and role',
  network: 'the link of a number to its chat network',
  inner: 'how the service works: copies, counts, leases, and what ends within days',
  simulated: 'the simulated network',
  stays: 'what has become of an organization here',
} as const

type Reason = keyof typeof reasons

/** A table of which an organization is given some columns. */
export interface GivenTable {
  /** What its rows are, for who reads the file. */
  readonly about: string
  /** The columns that are given, separated by blanks. */
  readonly given: string
  /** Those that only move. */
  readonly moves: Partial<Record<Reason, string>>
}

/**
 * What happens to the columns of a table when its organization moves, or is given its data. `given` columns are in both
 * files, `moves` columns in that of a move only, `never` ones in neither. A table that gives nothing has one class for
 * all columns. Columns that the database numbers or generates are in no file, and `organization_id` is the same in all
 * rows: neither is named.
 */
export type TableClass = GivenTable | { readonly moves: Reason } | { readonly never: Reason }

/** The class of each column of each table with rows of organizations. */
export const columnClasses: Readonly<Record<string, TableClass>> = {
  ...givenTables,

  account_links: { moves: 'credential' },
  api_keys: { moves: 'credential' },
  idempotency_keys: { moves: 'credential' },
  oauth_codes: { moves: 'credential' },
  oauth_tokens: { moves: 'credential' },
  recovery_codes: { moves: 'credential' },
  sign_in_challenges: { moves: 'credential' },
  user_tokens: { moves: 'credential' },
  user_two_factor: { moves: 'credential' },
  mails: { moves: 'person' },

  billing_accounts: { moves: 'inner' },
  billing_operations: { moves: 'inner' },
  bot_inbox: { moves: 'inner' },
  bot_voice_notes: { moves: 'inner' },
  campaign_count_changes: { moves: 'inner' },
  campaign_pacing: { moves: 'inner' },
  change_limits: { moves: 'inner' },
  chat_changes: { moves: 'inner' },
  event_positions: { moves: 'inner' },
  guard_sends: { moves: 'inner' },
  history_imports: { moves: 'inner' },
  lanes: { moves: 'inner' },
  mcp_read_texts: { moves: 'inner' },
  mcp_sends: { moves: 'inner' },
  message_count_changes: { moves: 'inner' },
  message_hours: { moves: 'inner' },
  message_places: { moves: 'inner' },
  message_text_changes: { moves: 'inner' },
  message_texts: { moves: 'inner' },
  message_totals: { moves: 'inner' },
  order_numbers: { moves: 'inner' },
  pending_changes: { moves: 'inner' },
  pending_receipts: { moves: 'inner' },
  recipient_check_budgets: { moves: 'inner' },
  recipient_checks: { moves: 'inner' },
  reminder_sends: { moves: 'inner' },
  uploads: { moves: 'inner' },
  gateway_history: { moves: 'network' },
  gateway_inbox: { moves: 'network' },
  gateway_keys: { moves: 'network' },
  gateway_last_times: { moves: 'network' },
  gateway_sent: { moves: 'network' },
  gateway_sessions: { moves: 'network' },
  waha_sessions: { moves: 'network' },
  sim_events: { moves: 'simulated' },
  sim_fault_hits: { moves: 'simulated' },
  sim_messages: { moves: 'simulated' },
  sim_sessions: { moves: 'simulated' },

  campaign_ends: { never: 'inner' },
  erasures: { never: 'stays' },
  event_streams: { never: 'inner' },
  sim_typing: { never: 'simulated' },
  suspects: { never: 'inner' },
}

/** Returns whether the rows of a table stay where they are when their organization moves. */
export function isNeverMoved(table: string): boolean {
  const found = columnClasses[table]
  return found !== undefined && 'never' in found
}
