import type { Contract } from '@msgctl/contract'
import type { Caller, Request } from '#api/http/handler.ts'
import { findNumber } from '#numbers/records/store.ts'
import { numberNotFound } from '#numbers/send-group/select-number.ts'
import { crashPoint } from '#platform/crash-points.ts'
import type { Db } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'
import { invalidField } from '#platform/errors.ts'
import { requireUnsentQuota, type UnsentRows } from '#sending/messages/unsent-quota.ts'
import type { Services } from '#services.ts'
import { toInstant } from './occurrence.ts'
import { countUnsent, findOwner, findReminder, insertReminders, type NewReminder, type ReminderRow } from './store.ts'
import { requireValues, requireValuesOfRows } from './values.ts'
import { toReminderView } from './view.ts'

const pastMs = 5 * 60_000
const defaultZone = 'UTC'
const remindersUnsent: UnsentRows = { noun: 'reminders', deletable: 'reminders', count: countUnsent }

/** Returns whether a time lies more than 5 minutes in the past. */
function isPast(sendAt: string, now: Date): boolean {
  return Date.parse(sendAt) < now.getTime() - pastMs
}

/** Returns the time to send at. Throws VALIDATION_ERROR when it lies more than 5 minutes in the past. */
export function requireUpcoming(sendAt: string, now: Date): Date {
  if (isPast(sendAt, now)) throw invalidField('sendAt', 'must be at most 5 minutes in the past')
  return new Date(sendAt)
}

/** Throws NOT_FOUND for a number of another organization. */
export async function requireNumber(
  db: Db,
  organizationId: string,
  containerId: string | null | undefined,
): Promise<void> {
  if (containerId && !(await findNumber(db, organizationId, containerId))) throw numberNotFound()
}

/** Returns the API's view of a reminder that exists. */
export async function readView(
  trx: Db,
  organizationId: string,
  id: string,
): Promise<ReturnType<typeof toReminderView>> {
  const row: ReminderRow | undefined = await findReminder(trx, organizationId, id)
  if (!row) throw new Error('a reminder that this transaction wrote is missing')
  return toReminderView(row)
}

/** Creates a reminder (specification, "Reminders"). */
export async function createReminder(request: Request<Contract['reminders']['create']>, services: Services) {
  const { body, idempotency } = request
  const { organizationId } = request.caller
  const sendAt = requireUpcoming(toInstant(body.sendAt, body.timeZone), services.clock.now())
  if (body.strictVariables) requireValues(body.message, body.variables)
  await requireNumber(services.db, organizationId, body.containerId)
  const result = await idempotency.transact(async (trx) => {
    const planned = newReminder(body, { ...body, sendAt }, { ownerId: await owner(trx, request.caller), batchId: null })
    await requireUnsentQuota(trx, request.caller, 1, remindersUnsent)
    await insertReminders(trx, organizationId, [planned])
    const reminder = await readView(trx, organizationId, planned.id)
    crashPoint('reminder-create.before-commit')
    return { reminder }
  })
  crashPoint('reminder-create.committed')
  return result
}

/** Creates a reminder for each row. Rows in the past are skipped and returned. */
export async function importReminders(request: Request<Contract['reminders']['import']>, services: Services) {
  const { body, idempotency } = request
  const { organizationId } = request.caller
  const now = services.clock.now()
  await requireNumber(services.db, organizationId, body.containerId)
  // The specification allows single reminders five minutes in the past, and imports none.
  const isOver = (sendAt: string) => Date.parse(sendAt) < now.getTime()
  const rows = body.rows.map((row) => ({ ...row, sendAt: toInstant(row.sendAt, row.timeZone) }))
  if (body.strictVariables) requireValuesOfRows(body.message, rows)
  const skipped = rows.flatMap(({ phone, sendAt }, row) =>
    isOver(sendAt) ? [{ row, phone, sendAt, reason: 'past' as const }] : [],
  )
  const upcoming = rows.filter(({ sendAt }) => !isOver(sendAt))
  return idempotency.transact(async (trx) => {
    const origin = { ownerId: await owner(trx, request.caller), batchId: newId() }
    const planned = upcoming.map((row) => newReminder(body, { ...row, sendAt: new Date(row.sendAt) }, origin))
    await requireUnsentQuota(trx, request.caller, planned.length, remindersUnsent)
    await insertReminders(trx, organizationId, planned)
    return { created: planned.length, batchId: origin.batchId, skipped }
  })
}

async function owner(trx: Db, { userId, organizationId }: Caller): Promise<string> {
  return userId ?? findOwner(trx, organizationId)
}

type Shared = Pick<NewReminder, 'message' | 'repeat'> & { readonly containerId?: string | null | undefined }
type Own = Pick<NewReminder, 'phone' | 'sendAt'> & {
  readonly label?: string | null | undefined
  readonly variables?: Readonly<Record<string, string>> | undefined
  readonly timeZone?: string | undefined
  readonly clientReference?: string | null | undefined
}

function newReminder(
  { message, repeat, containerId }: Shared,
  { phone, sendAt, label, variables, timeZone, clientReference }: Own,
  origin: Pick<NewReminder, 'ownerId' | 'batchId'>,
): NewReminder {
  return {
    id: newId(),
    ...origin,
    containerId: containerId ?? null,
    label: label ?? null,
    phone,
    message,
    variables: variables ?? {},
    repeat,
    timeZone: timeZone ?? defaultZone,
    sendAt,
    clientReference: clientReference ?? null,
  }
}
