import type { Contract, ReminderStatus } from '@msgctl/contract'
import { type Db, transaction } from '../db/db.ts'
import { apiError } from '../errors.ts'
import type { Request } from '../http/handler.ts'
import type { Services } from '../services.ts'
import { requireNumber, requireUpcoming, shown } from './plan.ts'
import { type Action, transition } from './rules.ts'
import { changeReminder, deleteReminder, type HeldReminder, lockReminder, setStatus } from './store.ts'

/**
 * Changes a reminder (specification, "Reminders"): a scheduled one in any way, a finished one only together with a new
 * `sendAt`, which arms it. Throws NOT_FOUND, and FORBIDDEN_ACTION in a state that does not allow it.
 */
export async function updateReminder(request: Request<Contract['reminders']['update']>, services: Services) {
  const { body, params } = request
  const { organizationId } = request.caller
  return transaction(services.db, async (trx) => {
    const held = await requireReminder(trx, organizationId, params.id)
    const sendAt = newTime(body.sendAt, held, services.clock.now())
    const status = requireMove(held, sendAt ? 'rearm' : 'update')
    await requireNumber(trx, organizationId, body.containerId)
    const { containerId, label, phone, message, variables, repeat, timeZone } = body
    const change = { containerId, label, phone, message, variables, repeat, timeZone, sendAt, status }
    await changeReminder(trx, organizationId, params.id, change)
    return { reminder: await shown(trx, organizationId, params.id) }
  })
}

/** Stops a scheduled reminder, which stays in the list. Throws NOT_FOUND, and FORBIDDEN_ACTION in any other state. */
export async function cancelReminder(request: Request<Contract['reminders']['cancel']>, services: Services) {
  const { organizationId } = request.caller
  const { id } = request.params
  return transaction(services.db, async (trx) => {
    await setStatus(trx, organizationId, id, requireMove(await requireReminder(trx, organizationId, id), 'cancel'))
    return { reminder: await shown(trx, organizationId, id) }
  })
}

/** Removes a reminder in any state. Throws NOT_FOUND. */
export async function removeReminder({ caller, params }: Request<Contract['reminders']['delete']>, services: Services) {
  if (!(await deleteReminder(services.db, caller.organizationId, params.id))) throw noSuchReminder()
  return {}
}

async function requireReminder(trx: Db, organizationId: string, id: string): Promise<HeldReminder> {
  const held = await lockReminder(trx, organizationId, id)
  if (!held) throw noSuchReminder()
  return held
}

/**
 * The time that arms a reminder. A form that is saved whole repeats the present one: that is nothing new, neither to a
 * scheduled reminder, whose count it would begin anew, nor to a finished one, which would be sent again. A finished one
 * whose time is still to come is armed by it.
 */
function newTime(requested: string | undefined, { status, sendAt }: HeldReminder, now: Date): Date | undefined {
  if (requested === undefined) return undefined
  const isPresent = Date.parse(requested) === sendAt.getTime()
  if (isPresent && (status === 'scheduled' || sendAt <= now)) return undefined
  return requireUpcoming(requested, now)
}

/** The status that the action moves a reminder to. */
function requireMove({ status }: HeldReminder, action: Action): ReminderStatus {
  const ruling = transition(status, action)
  if (ruling.is === 'state') return ruling.to
  throw apiError('FORBIDDEN_ACTION', sentences[action](status), { reason: ruling.reason, status })
}

const beingSent = 'The reminder is being sent right now. Try again in a moment.'
const sentences: Readonly<Record<Action, (status: ReminderStatus) => string>> = {
  update: (status) =>
    status === 'processing' ? beingSent : `The reminder is ${status}. Give a new sendAt to arm it again.`,
  rearm: () => beingSent,
  cancel: (status) =>
    status === 'processing' ? beingSent : `The reminder is ${status}. Only a scheduled one can be cancelled.`,
}

function noSuchReminder() {
  return apiError('NOT_FOUND', 'There is no such reminder.')
}
