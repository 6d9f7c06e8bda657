import { randomUUID } from 'node:crypto'
import { type Answer, type Routes, refusal } from './server.ts'

interface FakeReminder {
  readonly id: string
  status: string
  // biome-ignore lint/suspicious/noExplicitAny: the fields that only travel through.
  readonly [field: string]: any
}

/** What the fake takes for the past. */
const now = '2027-01-01T00:00:00Z'

function unknown(): Answer {
  return refusal(404, 'NOT_FOUND', 'There is no such reminder.')
}

/** The routes of reminders, kept in memory. */
export function reminderRoutes(): Routes {
  const all: FakeReminder[] = []
  const find = (id: string) => all.find((reminder) => reminder.id === id)
  return {
    'GET /reminders': ({ query }) => {
      const reminders = all.filter(({ status }) => query.status === undefined || status === query.status)
      return { body: { success: true, total: reminders.length, page: 1, limit: 50, reminders } }
    },
    'POST /reminders': ({ body }) => {
      const phone = String(body.phone).replace(/\D/g, '')
      const usual = { repeat: 'none', timeZone: 'UTC', label: null, sendCount: 0, lastError: null }
      const reminder = { ...usual, ...body, id: randomUUID(), phone, status: 'scheduled' }
      all.push(reminder)
      return { status: 201, body: { success: true, reminder } }
    },
    'POST /reminders/import': ({ body }) => {
      const rows: { phone: string; sendAt: string }[] = body.rows
      if (rows.some(({ phone }) => phone === '12025550101')) {
        const details = { 'rows.1.phone': ['must be another one'] }
        return refusal(400, 'VALIDATION_ERROR', 'rows.1.phone must be another one.', details)
      }
      const skipped = rows.flatMap(({ phone, sendAt }, row) =>
        Date.parse(sendAt) < Date.parse(now) ? [{ row, phone, sendAt, reason: 'past' }] : [],
      )
      const created = rows.length - skipped.length
      return { status: 201, body: { success: true, created, batchId: randomUUID(), skipped } }
    },
    'PUT /reminders/:id': ({ body }, id) => {
      const reminder = find(id ?? '')
      return reminder ? { body: { success: true, reminder: Object.assign(reminder, body) } } : unknown()
    },
    'POST /reminders/:id/cancel': (_seen, id) => {
      const reminder = find(id ?? '')
      if (!reminder) return unknown()
      const { status } = reminder
      if (status !== 'scheduled')
        return refusal(400, 'FORBIDDEN_ACTION', `The reminder is ${status}.`, { reason: 'finished', status })
      reminder.status = 'cancelled'
      return { body: { success: true, reminder } }
    },
    'DELETE /reminders/:id': (_seen, id) => {
      const at = all.findIndex((reminder) => reminder.id === id)
      if (at === -1) return unknown()
      all.splice(at, 1)
      return { body: { success: true } }
    },
  }
}
