import * as z from 'zod'
import { endpoints } from '../endpoints.ts'
import { ok } from '../model/envelope.ts'
import {
  at,
  atOrNull,
  count,
  messageText,
  pageOf,
  pageQuery,
  person,
  phone,
  phoneNumber,
  search,
  text,
  uuid,
} from '../model/fields.ts'
import { instant, timeZone } from '../model/instants.ts'
import { limits } from '../model/limits.ts'
import { messageStatuses, reminderStatuses } from '../model/states.ts'
import { storedVariables, variables } from '../model/variables.ts'
import { type Covers, route } from '../route.ts'

/** How often a reminder repeats. Monthly keeps the day of the month; the 31st becomes the last day of shorter months. */
export const repeats = ['none', 'daily', 'weekly', 'monthly'] as const
export type Repeat = (typeof repeats)[number]

const id = z.uuid().describe('The reminder.')
const params = z.object({ id: uuid.describe('The reminder.') })
const message = messageText.describe('The text; {{placeholders}} are filled when it is sent.')
const repeat = z.enum(repeats)
const repeatMeaning = 'How often it repeats: none, daily, weekly or monthly.'
const label = text(0, limits.label).nullable().optional().describe('A name to find it by, up to 255 characters.')
const values = variables.optional().describe('Values of the placeholders, up to 50.')
const sendAt = instant.describe('When to send: ISO 8601 with Z or an offset, at most 5 minutes in the past.')
const containerId = uuid
  .nullable()
  .optional()
  .describe("Which of the organization's numbers to use; null is the default number.")

/** One reminder (specification, "Reminder"), with `timeZone` of our own. */
const reminder = z
  .object({
    id,
    ownerId: z.uuid().describe("Who created it; with a key, the organization's owner."),
    containerId: z.uuid().nullable().describe('The number it uses; null is the default number.'),
    label: z.string().nullable().describe('A name to find it by.'),
    phone: person,
    message: z.string().describe('The text with its placeholders.'),
    variables: storedVariables,
    sendAt: at('When it is sent next.'),
    firstSendAt: at('The time its repeats are counted from.'),
    repeat: repeat.describe(repeatMeaning),
    status: z.enum(reminderStatuses).describe('The state of the reminder.'),
    batchId: z.uuid().nullable().describe('The import it came from.'),
    sendCount: count('Times it was sent.'),
    lastSentAt: atOrNull('When it was sent last.'),
    lastMessageId: z.uuid().nullable().describe('The last message it sent.'),
    lastError: z.string().nullable().describe('Why the last send did not happen, e.g. missed.'),
    createdAt: at('When it was created.'),
    updatedAt: at('When it was changed last.'),
    lastMessageStatus: z.enum(messageStatuses).nullable().describe('The status of the last message.'),
    timeZone: z.string().describe('The zone whose wall-clock time repeats keep.'),
  })
  .describe('The reminder.')
export type Reminder = z.infer<typeof reminder>

const importRow = z.object({
  phone: phoneNumber,
  sendAt: instant.describe('When to send: ISO 8601 with Z or an offset. A row in the past is skipped.'),
  label,
  variables: values,
  timeZone,
})

const skippedRow = z.object({
  row: count('Which row, counted from 0.'),
  phone: z.string().describe('Digits.'),
  sendAt: at('The time it asked for.'),
  reason: z.literal('past').describe('Why it was skipped.'),
})

const access = { feature: 'reminders', keys: 'account' } as const

export const reminders = {
  /** Reminders: upcoming first, soonest first, then the others by latest change. At most 100 on a page. */
  list: route(endpoints.reminders.list, {
    summary: 'List reminders',
    access,
    query: z.object({
      status: z.enum(reminderStatuses).optional().describe('Only reminders in this state.'),
      search: search('Part of the number or label.'),
      ...pageQuery,
    }),
    status: 200,
    response: ok({ ...pageOf, reminders: z.array(reminder).describe('The reminders of this page.') }),
    errors: [],
  }),

  /**
   * Plans a message to one person, once or repeated. Needs Notify, and for the account key Developer or Connect.
   * `sendAt` needs Z or an offset and lies at most 5 minutes in the past.
   */
  create: route(endpoints.reminders.create, {
    summary: 'Create a reminder',
    access,
    body: z.object({
      phone,
      message,
      sendAt,
      repeat: repeat.default('none').describe(repeatMeaning),
      label,
      variables: values,
      containerId,
      timeZone,
    }),
    status: 201,
    response: ok({ reminder }),
    errors: ['NOT_FOUND', 'FORBIDDEN_ACTION'],
  }),

  /** Plans up to 5000 reminders with one text. Rows in the past are skipped and listed; a bad row refuses the call. */
  import: route(endpoints.reminders.import, {
    summary: 'Import reminders',
    access,
    body: z.object({
      message,
      repeat: repeat.default('none').describe(repeatMeaning),
      containerId,
      rows: z.array(importRow).min(1).max(limits.reminderRows).describe('1 to 5000 rows.'),
    }),
    status: 201,
    response: ok({
      created: count('Reminders created.'),
      batchId: z.uuid().describe('Stands on every reminder of this import.'),
      skipped: z.array(skippedRow).describe('Rows that were not taken.'),
    }),
    errors: ['NOT_FOUND', 'FORBIDDEN_ACTION'],
    bulk: true,
  }),

  /**
   * Changes a reminder; what is left out stays, `variables` replaces all values. A new `sendAt` arms a done, failed or
   * cancelled one again; without it, or while it is processing, the answer is FORBIDDEN_ACTION.
   */
  update: route(endpoints.reminders.update, {
    summary: 'Change a reminder',
    access,
    params,
    body: z.object({
      phone: phone.optional(),
      message: message.optional(),
      sendAt: sendAt.optional(),
      repeat: repeat.optional().describe(repeatMeaning),
      label,
      variables: values.describe('Replaces all values of the placeholders.'),
      containerId,
      timeZone,
    }),
    status: 200,
    response: ok({ reminder }),
    errors: ['NOT_FOUND', 'FORBIDDEN_ACTION'],
  }),

  /** Stops a scheduled reminder; it stays in the list. FORBIDDEN_ACTION in any other state. */
  cancel: route(endpoints.reminders.cancel, {
    summary: 'Cancel a reminder',
    access,
    params,
    status: 200,
    response: ok({ reminder }),
    errors: ['NOT_FOUND', 'FORBIDDEN_ACTION'],
  }),

  /** Removes a reminder for good. */
  delete: route(endpoints.reminders.delete, {
    summary: 'Delete a reminder',
    access,
    params,
    status: 200,
    response: ok({}),
    errors: ['NOT_FOUND'],
  }),
} satisfies Covers<typeof endpoints.reminders>
