import { setTimeout as wait } from 'node:timers/promises'
import type { Db } from '../db/db.ts'
import { readErasable } from '../erasure/catalogue-store.ts'
import { eraseSome } from '../erasure/erase-store.ts'
import { planErasure } from '../erasure/plan.ts'
import { closeLanes } from '../messages/lanes/lane-store.ts'
import { reconnectMoved } from '../numbers/move-store.ts'
import { changeOrganization } from '../organizations/change.ts'
import { findMoveState, type MoveState, writeMoved, writeMoving } from '../organizations/move-store.ts'
import { Refusal } from '../organizations/refusal.ts'
import { type Running, readRunning } from './running-store.ts'

const pollMs = 500
const eraseBatch = 5000
/** What recognizes the callers of an organization that has moved. */
const kept = new Set(['api_keys', 'members', 'user_tokens'])

async function change(
  db: Db,
  organizationId: string,
  action: string,
  work: (trx: Db, state: MoveState) => Promise<void>,
) {
  await changeOrganization(db, organizationId, async (trx) => {
    const state = await findMoveState(trx, organizationId)
    if (!state || state.isDeleted) throw new Refusal('The organization is deleted.')
    if (state.movedTo !== null) throw new Refusal(`The organization has moved to ${state.movedTo}.`)
    await work(trx, state)
    return { action, result: undefined }
  })
}

/**
 * Closes an organization for its move: its calls are refused with SERVICE_BUSY, and no process begins anything for it.
 * Returns when nothing of it runs any more: requests that began before have had `drainSeconds`, what was claimed has ended,
 * and a worker has stopped its numbers at their networks. Throws {@link Refusal} after `timeoutSeconds`; the organization
 * stays closed.
 */
export async function beginMove(
  db: Db,
  organizationId: string,
  { drainSeconds, timeoutSeconds }: { readonly drainSeconds: number; readonly timeoutSeconds: number },
): Promise<void> {
  await change(db, organizationId, 'organization.move_begun', async (trx) => writeMoving(trx, organizationId, true))
  const begun = performance.now()
  const passed = () => (performance.now() - begun) / 1000
  for (;;) {
    const running = await readRunning(db, organizationId)
    if (passed() >= drainSeconds && Object.values(running).every((count) => count === 0)) return
    if (passed() > timeoutSeconds) throw new Refusal(`After ${timeoutSeconds} s there are still ${describe(running)}.`)
    await wait(pollMs)
  }
}

function describe({ messages, deliveries, reminders, numbers }: Running): string {
  return `${messages} messages and ${deliveries} deliveries at work, ${reminders} reminders processing, and ${numbers} organizations whose numbers no worker has stopped`
}

/** Opens an organization again whose move was begun. Do that only where the file was not imported. */
export async function cancelMove(db: Db, organizationId: string): Promise<void> {
  await change(db, organizationId, 'organization.move_cancelled', async (trx, { movingAt }) => {
    if (movingAt === null) throw new Refusal('The organization does not move.')
    await writeMoving(trx, organizationId, false)
    await closeLanes(trx, organizationId)
    await reconnectMoved(trx, organizationId)
  })
}

/**
 * Ends the move of an organization that works at `address` now. Its calls are refused here with ORGANIZATION_MOVED, and its
 * data is deleted but for keys, sessions and members, which recognize its callers. Its numbers stay linked: their networks
 * are not asked. Returns how many rows were deleted. It can be repeated after an interruption.
 */
export async function endMove(db: Db, organizationId: string, address: string): Promise<number> {
  const state = await findMoveState(db, organizationId)
  if (state?.movedTo !== address) {
    await change(db, organizationId, 'organization.moved', async (trx, { closedAt }) => {
      if (closedAt === null) throw new Refusal('The organization is not closed for a move. See org begin-move.')
      await writeMoved(trx, organizationId, address)
    })
  }
  const steps = planErasure(await readErasable(db)).filter(({ table }) => !kept.has(table))
  let erased = 0
  // Triggers of deleted rows add rows to other tables, which the next pass deletes.
  for (let inPass = 1; inPass > 0; erased += inPass) {
    inPass = 0
    for (const step of steps) {
      for (let some = eraseBatch; some === eraseBatch; inPass += some) {
        some = await eraseSome(db, organizationId, step, eraseBatch)
      }
    }
  }
  return erased
}
