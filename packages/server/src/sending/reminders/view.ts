import type { Reminder } from '@msgctl/contract'
import type { ReminderRow } from './store.ts'

/** Returns a reminder as the API shows it. */
export function toReminderView(row: ReminderRow): Reminder {
  return {
    ...row,
    sendAt: row.sendAt.toISOString(),
    firstSendAt: row.firstSendAt.toISOString(),
    lastSentAt: row.lastSentAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
