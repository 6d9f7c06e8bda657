import type { Contract } from '@msgctl/contract'
import type { Handlers } from '#api/http/handler.ts'
import { cancelReminder, noSuchReminder, removeReminder, updateReminder } from './change.ts'
import { createReminder, importReminders } from './plan.ts'
import { countReminders, findReminder, listReminders } from './store.ts'
import { toReminderView } from './view.ts'

/** The handlers of /reminders. */
export const reminderHandlers = {
  async list({ caller, query }, { db }) {
    const { status, search, page, limit } = query
    const wanted = { organizationId: caller.organizationId, status: status ?? null, search: search || null }
    const [total, found] = await Promise.all([
      countReminders(db, wanted),
      listReminders(db, wanted, { limit, offset: (page - 1) * limit }),
    ])
    return { total, page, limit, reminders: found.map(toReminderView) }
  },

  async get({ caller, params }, { db }) {
    const found = await findReminder(db, caller.organizationId, params.id)
    if (!found) throw noSuchReminder()
    return { reminder: toReminderView(found) }
  },

  create: createReminder,
  import: importReminders,
  update: updateReminder,
  cancel: cancelReminder,
  delete: removeReminder,
} satisfies Handlers<Contract['reminders']>
