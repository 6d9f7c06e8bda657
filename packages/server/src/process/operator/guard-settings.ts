import {
  findOperatorLimits,
  findOwner,
  judgeAgain,
  type OperatorLimits,
  writeOperatorLimits,
} from '#numbers/guard/limits-store.ts'
import { Refusal } from '#people/organizations/refusal.ts'
import type { Db } from '#platform/db/db.ts'

/** What the operator decided about the guard rules of a number; null keeps the table. */
export interface OperatorGuard extends Omit<OperatorLimits, 'mode'> {
  readonly containerId: string
  readonly mode: 'on' | 'off' | 'auto'
  /** The held messages that are judged again because of a change. */
  readonly judgedAgain?: number
}

type Limit = 'conversations' | 'perHour' | 'perDay'

/** A change; omitted fields stay. */
export type GuardChange = { readonly mode?: OperatorGuard['mode'] } & {
  readonly [L in Limit]?: number | 'default'
}

/** Returns what the operator decided about a number. Throws a Refusal for an unknown number. */
export async function showGuard(db: Db, containerId: string): Promise<OperatorGuard> {
  await requireOwner(db, containerId)
  const { mode, ...limits } = await findOperatorLimits(db, containerId)
  return { containerId, mode: mode ?? 'auto', ...limits }
}

/**
 * Changes what the rules allow a number, and has its held messages judged again. Throws a Refusal for an unknown
 * number.
 */
export async function setGuard(trx: Db, containerId: string, change: GuardChange): Promise<OperatorGuard> {
  const { organizationId, gateway } = await requireOwner(trx, containerId)
  const known = await findOperatorLimits(trx, containerId)
  const limit = (name: Limit) => {
    const value = change[name]
    return value === 'default' ? null : (value ?? known[name])
  }
  const mode = change.mode === undefined ? known.mode : change.mode === 'auto' ? null : change.mode
  const limits = {
    mode,
    conversations: limit('conversations'),
    perHour: limit('perHour'),
    perDay: limit('perDay'),
  }
  const number = { organizationId, containerId }
  await writeOperatorLimits(trx, number, limits, guardedBy(mode, gateway))
  const judgedAgain = await judgeAgain(trx, number)
  return { containerId, ...limits, mode: mode ?? 'auto', judgedAgain }
}

function guardedBy(mode: OperatorLimits['mode'], gateway: string): boolean | null {
  if (mode !== null) return mode === 'on'
  return gateway === 'simulator' ? null : true
}

async function requireOwner(db: Db, containerId: string) {
  const owner = await findOwner(db, containerId)
  if (!owner) throw new Refusal('There is no such number. msgctl-server org show lists the numbers of an organization.')
  return owner
}
