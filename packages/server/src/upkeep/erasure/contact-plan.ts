/** A column that holds the phone, the hidden id or the contact id of a person an organization has written with. */
export interface PersonalColumn {
  readonly table: string
  readonly column: string
}

/** Tables whose rows about a person are deleted by phone or hidden id. */
export const erasedByPhone: readonly PersonalColumn[] = [
  { table: 'messages', column: 'recipient' },
  { table: 'otp_requests', column: 'phone' },
  { table: 'reminders', column: 'phone' },
  { table: 'recipient_checks', column: 'digits' },
  { table: 'campaign_recipients', column: 'phone' },
  { table: 'mcp_calls', column: 'phone' },
]

/** Tables whose rows about a person are deleted by contact. Rows that refer to them go with them. */
export const erasedByContact: readonly PersonalColumn[] = [
  { table: 'chat_messages', column: 'contact_id' },
  { table: 'chats', column: 'contact_id' },
  { table: 'bot_conversations', column: 'contact_id' },
  { table: 'bot_orders', column: 'contact_id' },
]

/** Columns of the same names that are left, and why. */
export const keptOfPersons: Readonly<Record<string, string>> = {
  'contacts.phone': 'deleted with the contact; kept alone where the person opted out',
  'contacts.lid': 'deleted with the contact',
  'bot_order_phones.phone': 'people of the organization who are notified of orders',
  'chat_changes.contact_id': 'applied within seconds',
  'guard_sends.recipient': 'ends after three days; the limits of a day count it',
  'recipient_checks.lid': 'deleted with its row',
  'recipient_checks.chat_id': 'deleted with its row',
  'sim_people.digits': 'the simulated network',
  'sim_sessions.phone': 'the simulated network',
}
