import * as z from 'zod'
import * as cast from '../examples/cast.ts'
import * as example from '../examples/reminders.ts'
import { piped } from '../examples/shell.ts'
import { named, ok } from '../model/envelope.ts'
import {
  at,
  atOrNull,
  changedReference,
  count,
  messageText,
  pageOf,
  pageQuery,
  person,
  phone,
  phoneNumber,
  plannedReference,
  search,
  storedReference,
  text,
  uuid,
} from '../model/fields.ts'
import { instantOrLocalTime, timeZone, withZoneOfLocalTimes } from '../model/instants.ts'
import { limits } from '../model/limits.ts'
import { messageStatuses, reminderStatuses } from '../model/states.ts'
import { storedVariables, variables } from '../model/variables.ts'
import { route } from '../route.ts'

/**
 * How often a reminder repeats. Monthly keeps the day of the month. The 31st becomes the last day of shorter months.
 */
export const repeats = ['none', 'daily', 'weekly', 'monthly'] as const
export type Repeat = (typeof repeats)[number]

const id = z.uuid().describe('The reminder.')
const params = z.object({ id: uuid.describe('The reminder.') })
const message = messageText.describe('The text; {{placeholders}} are filled when it is sent.')
const repeat = z.enum(repeats)
const repeatMeaning = 'How often it repeats: none, daily, weekly or monthly.'
const label = text(0, limits.label).nullable().optional().describe('A name to find it by, up to 255 characters.')
const values = variables.optional().describe('Values of the placeholders, up to 50.')
const sendAt = instantOrLocalTime.describe(
  'When to send: ISO 8601 with Z or an offset, or a local time of `timeZone`; at most 5 minutes in the past. Repeats ' +
    'keep its time of day and day of the month in `timeZone`, not in its offset.',
)
const strictVariables = z
  .boolean()
  .default(false)
  .describe('Refuse when a placeholder has no value, instead of leaving it empty.')
const containerId = uuid
  .nullable()
  .optional()
  .describe("Which of the organization's numbers to use; null is the default number.")

/** One reminder (specification, "Reminder"), with `timeZone` of our own. */
const reminder = named('Reminder', 'A message that is sent at a set time, once or repeated.', {
  id,
  ownerId: z.uuid().describe("Who created it; with a key, the organization's owner."),
  containerId: z.uuid().nullable().describe('The number it uses; null is the default number.'),
  label: z.string().nullable().describe('A name to find it by.'),
  phone: person,
  message: z.string().describe('The text with its placeholders.'),
  variables: storedVariables,
  sendAt: at('When it is sent next.'),
  firstSendAt: at('The time from which repeats are counted.'),
  repeat: repeat.describe(repeatMeaning),
  status: z.enum(reminderStatuses).describe('The state of the reminder.'),
  batchId: z.uuid().nullable().describe('The import it came from.'),
  sendCount: count('Times it was sent.'),
  lastSentAt: atOrNull('When it was last sent.'),
  lastMessageId: z.uuid().nullable().describe('The last message it sent.'),
  lastError: z
    .string()
    .nullable()
    .describe('Why the last send failed, such as missed, or the errorCode of the last message while that is failed.'),
  createdAt: at('When it was created.'),
  updatedAt: at('When it was last changed.'),
  lastMessageStatus: z.enum(messageStatuses).nullable().describe('The status of the last message.'),
  timeZone: z.string().describe('The zone whose wall-clock time repeats keep.'),
  clientReference: storedReference,
})
export type Reminder = z.infer<typeof reminder>

const importRow = z
  .object({
    phone: phoneNumber,
    sendAt: instantOrLocalTime.describe(
      'When to send: ISO 8601 with Z or an offset, or a local time of `timeZone`. A row in the past is skipped.',
    ),
    label,
    variables: values,
    timeZone,
    clientReference: plannedReference,
  })
  .refine(...withZoneOfLocalTimes)
  .meta({ id: 'ReminderRow', description: 'One row of an import of reminders.' })

const skippedRow = named('SkippedReminderRow', 'A row of an import that made no reminder.', {
  row: count('Index of the row, from 0.'),
  phone: z.string().describe('Digits.'),
  sendAt: at('The requested time.'),
  reason: z.literal('past').describe('Why it was skipped.'),
})

const access = { feature: 'reminders', keys: 'account' } as const

export const reminders = {
  /** Returns reminders: upcoming first, soonest first, then the others by latest change. At most 100 on a page. */
  list: route('GET /reminders', {
    summary: 'List reminders',
    access,
    query: z.object({
      status: z.enum(reminderStatuses).optional().describe('Only reminders in this state.'),
      search: search('Part of the number or label.'),
      ...pageQuery,
    }),
    response: ok({ ...pageOf, reminders: z.array(reminder).describe('The reminders of this page.') }),
    example: { input: { status: 'scheduled' }, output: { total: 1, page: 1, limit: 50, reminders: [example.rent] } },
    msgctl: 'msgctl reminders list --status scheduled',
  }),

  /** Returns one reminder. */
  get: route('GET /reminders/:id', {
    summary: 'Get a reminder',
    access,
    params,
    response: ok({ reminder }),
    errors: ['NOT_FOUND'],
    example: { input: { id: cast.reminder.id }, output: { reminder: example.rent } },
    msgctl: `msgctl reminders show ${cast.reminder.id}`,
  }),

  /**
   * Schedules a message to one person, once or repeated. Needs Notify, and for the account key Developer or Connect.
   * `sendAt` needs Z, an offset or `timeZone`, and must be at most 5 minutes in the past.
   */
  create: route('POST /reminders', {
    summary: 'Create a reminder',
    access,
    body: z
      .object({
        phone,
        message,
        sendAt,
        repeat: repeat.default('none').describe(repeatMeaning),
        label,
        variables: values,
        containerId,
        timeZone,
        strictVariables,
        clientReference: plannedReference,
      })
      .refine(...withZoneOfLocalTimes),
    status: 201,
    response: ok({ reminder }),
    errors: ['NOT_FOUND', 'FORBIDDEN_ACTION'],
    idempotent: true,
    example: {
      input: {
        phone: cast.jane.typed,
        message: cast.reminder.message,
        clientReference: 'booking-7',
        variables: { name: 'Jane' },
        sendAt: '2030-01-31T09:00:00+01:00',
        repeat: 'monthly',
        timeZone: 'Europe/Berlin',
        label: 'Rent',
      },
      output: { reminder: example.rent },
    },
    msgctl: `msgctl reminders create ${cast.jane.typed} "${cast.reminder.message}" --var name=Jane \\
  --at 2030-01-31T09:00:00+01:00 --repeat monthly --time-zone Europe/Berlin --label Rent`,
  }),

  /**
   * Creates up to 5000 reminders with one text. Rows in the past are skipped and returned. An invalid row fails the
   * call.
   */
  import: route('POST /reminders/import', {
    summary: 'Import reminders',
    access,
    body: z.object({
      message,
      repeat: repeat.default('none').describe(repeatMeaning),
      containerId,
      strictVariables,
      rows: z.array(importRow).min(1).max(limits.reminderRows).describe('1 to 5000 rows.'),
    }),
    status: 201,
    response: ok({
      created: count('Reminders created.'),
      batchId: z.uuid().describe('The batchId of every reminder of this import.'),
      skipped: z.array(skippedRow).describe('Rows that were skipped.'),
    }),
    errors: ['NOT_FOUND', 'FORBIDDEN_ACTION'],
    bulk: true,
    idempotent: true,
    example: {
      input: {
        message: 'Dear {{name}}, we look forward to seeing you tomorrow.',
        rows: [
          {
            phone: cast.jane.typed,
            sendAt: '2030-01-31T09:00:00Z',
            variables: { name: 'Jane' },
            label: 'Appointment 17',
          },
          {
            phone: cast.jose.typed,
            sendAt: '2026-11-01T09:00:00Z',
            variables: { name: 'José' },
            label: 'Appointment 16',
          },
        ],
      },
      output: {
        created: 1,
        batchId: cast.reminder.batchId,
        skipped: [{ row: 1, phone: cast.jose.phone, sendAt: '2026-11-01T09:00:00.000Z', reason: 'past' }],
      },
    },
    msgctl: piped(
      `phone,sendAt,label,name\n${cast.jane.typed},2030-01-31T09:00:00Z,Appointment 17,Jane`,
      'msgctl reminders import "Dear {{name}}, we look forward to seeing you tomorrow." --yes --csv -',
    ),
  }),

  /**
   * Changes a reminder. Omitted fields keep their values; `variables` replaces all values. A new `sendAt` arms a done,
   * failed or cancelled one again. Without it, and while it is processing, the call fails with FORBIDDEN_ACTION.
   */
  update: route('PUT /reminders/:id', {
    summary: 'Change a reminder',
    access,
    params,
    body: z
      .object({
        phone: phone.optional(),
        message: message.optional(),
        sendAt: sendAt.optional(),
        repeat: repeat.optional().describe(repeatMeaning),
        label,
        variables: values.describe('Replaces all values of the placeholders.'),
        containerId,
        timeZone,
        strictVariables: z
          .boolean()
          .optional()
          .describe('Refuse when a placeholder has no value after the change, instead of leaving it empty.'),
        clientReference: changedReference,
      })
      .refine(...withZoneOfLocalTimes),
    response: ok({ reminder }),
    errors: ['NOT_FOUND', 'FORBIDDEN_ACTION'],
    example: {
      input: { id: cast.reminder.id, sendAt: '2030-02-01T09:00:00Z' },
      output: {
        reminder: { ...example.rent, sendAt: '2030-02-01T09:00:00.000Z', firstSendAt: '2030-02-01T09:00:00.000Z' },
      },
    },
    msgctl: `msgctl reminders edit ${cast.reminder.id} --at 2030-02-01T09:00:00Z`,
  }),

  /** Cancels a scheduled reminder. It stays in the list. Fails with FORBIDDEN_ACTION in any other state. */
  cancel: route('POST /reminders/:id/cancel', {
    summary: 'Cancel a reminder',
    access,
    params,
    response: ok({ reminder }),
    errors: ['NOT_FOUND', 'FORBIDDEN_ACTION'],
    example: { input: { id: cast.reminder.id }, output: { reminder: { ...example.rent, status: 'cancelled' } } },
    msgctl: `msgctl reminders cancel ${cast.reminder.id}`,
  }),

  /** Deletes a reminder. */
  delete: route('DELETE /reminders/:id', {
    summary: 'Delete a reminder',
    access,
    params,
    response: ok({}),
    errors: ['NOT_FOUND'],
    example: { input: { id: cast.reminder.id }, output: {} },
    msgctl: `msgctl reminders delete ${cast.reminder.id}`,
  }),
}
