import type { Contract, ReminderStatus } from '@msgctl/contract'
import type { Request } from '#api/http/handler.ts'
import { type Db, transaction } from '#platform/db/db.ts'
import { apiError } from '#platform/errors.ts'
import type { Services } from '#services.ts'
import { toInstant } from './occurrence.ts'
import { readView, requireNumber, requireUpcoming } from './plan.ts'
import { type Action, transition } from './rules.ts'
import { changeReminder, deleteReminder, type LockedReminder, lockReminder, setStatus } from './store.ts'
import { requireValues } from './values.ts'

/**
 * Changes a reminder (specification, "Reminders"). A finished one can only change together with a new `sendAt`, which
 * arms it again. Throws NOT_FOUND, FORBIDDEN_ACTION in a state that does not allow the change, and VALIDATION_ERROR
 * with `strictVariables` for a placeholder without a value.
 */
export async function updateReminder(request: Request<Contract['reminders']['update']>, services: Services) {
  const { body, params } = request
  const { organizationId } = request.caller
  return transaction(services.db, async (trx) => {
    const stored = await requireReminder(trx, organizationId, params.id)
    const requested = body.sendAt === undefined ? undefined : toInstant(body.sendAt, body.timeZone)
    const sendAt = newTime(requested, stored, services.clock.now())
    const status = requireMove(stored, sendAt ? 'rearm' : 'update')
    await requireNumber(trx, organizationId, body.containerId)
    if (body.strictVariables) requireValues(body.message ?? stored.message, body.variables ?? stored.variables)
    const { containerId, label, phone, message, variables, repeat, timeZone, clientReference } = body
    const change = { containerId, label, phone, message, variables, repeat, timeZone, clientReference, sendAt, status }
    await changeReminder(trx, organizationId, params.id, change)
    return { reminder: await readView(trx, organizationId, params.id) }
  })
}

/** Cancels a scheduled reminder, which stays in the list. Throws NOT_FOUND, and FORBIDDEN_ACTION in any other state. */
export async function cancelReminder(request: Request<Contract['reminders']['cancel']>, services: Services) {
  const { organizationId } = request.caller
  const { id } = request.params
  return transaction(services.db, async (trx) => {
    await setStatus(trx, organizationId, id, requireMove(await requireReminder(trx, organizationId, id), 'cancel'))
    return { reminder: await readView(trx, organizationId, id) }
  })
}

/** Deletes a reminder in any state. Throws NOT_FOUND. */
export async function removeReminder({ caller, params }: Request<Contract['reminders']['delete']>, services: Services) {
  if (!(await deleteReminder(services.db, caller.organizationId, params.id))) throw noSuchReminder()
  return {}
}

async function requireReminder(trx: Db, organizationId: string, id: string): Promise<LockedReminder> {
  const stored = await lockReminder(trx, organizationId, id)
  if (!stored) throw noSuchReminder()
  return stored
}

/**
 * Returns the time that arms a reminder, or undefined when the request keeps the present one. A client that saves a
 * complete form repeats the present time. That must neither restart the count of a scheduled reminder nor send a
 * finished one again. It arms a finished one whose time is still in the future.
 */
function newTime(requested: string | undefined, { status, sendAt }: LockedReminder, now: Date): Date | undefined {
  if (requested === undefined) return undefined
  const isPresent = Date.parse(requested) === sendAt.getTime()
  if (isPresent && (status === 'scheduled' || sendAt <= now)) return undefined
  return requireUpcoming(requested, now)
}

/** Returns the status that an action moves a reminder to. Throws FORBIDDEN_ACTION when the status does not allow it. */
function requireMove({ status }: LockedReminder, action: Action): ReminderStatus {
  const ruling = transition(status, action)
  if (ruling.is === 'state') return ruling.to
  throw apiError('FORBIDDEN_ACTION', messages[action](status), { reason: ruling.reason, status })
}

const beingSent = 'The reminder is being sent right now. Try again in a moment.'
const messages: Readonly<Record<Action, (status: ReminderStatus) => string>> = {
  update: (status) =>
    status === 'processing' ? beingSent : `The reminder is ${status}. Give a new sendAt to arm it again.`,
  rearm: () => beingSent,
  cancel: (status) =>
    status === 'processing' ? beingSent : `The reminder is ${status}. Only a scheduled one can be cancelled.`,
}

/** The error for a reminder that the organization does not have. */
export function noSuchReminder() {
  return apiError('NOT_FOUND', 'There is no such reminder.')
}
