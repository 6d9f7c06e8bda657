import { setTimeout as wait } from 'node:timers/promises'
import type { Secrets } from '@msgctl/network/secrets'
import { closeLanes } from '#numbers/lanes/lane-store.ts'
import { reconnectMoved } from '#numbers/move-store.ts'
import { changeOrganization } from '#people/organizations/change.ts'
import { findMoveState, type MoveState, writeMoved, writeMoving } from '#people/organizations/move-store.ts'
import { Refusal } from '#people/organizations/refusal.ts'
import type { Db } from '#platform/db/db.ts'
import { verifyReceipt } from './receipt.ts'
import { type Running, readRunning } from './running-store.ts'

const pollMs = 500

/**
 * Closes an organization for its move: its calls are refused with SERVICE_BUSY, and no process begins anything for it.
 * Returns when nothing of it runs any more: requests that began before have had `drainSeconds`, what was claimed has
 * ended, and a worker has stopped its numbers at their networks. Throws {@link Refusal} after `timeoutSeconds`; the
 * organization stays closed.
 */
export async function beginMove(
  db: Db,
  organizationId: string,
  { drainSeconds, timeoutSeconds }: { readonly drainSeconds: number; readonly timeoutSeconds: number },
): Promise<void> {
  await changeOrganization(db, organizationId, async (trx) => {
    const { movedTo } = await requirePresent(trx, organizationId)
    if (movedTo !== null) throw new Refusal(`The organization has moved to ${movedTo}.`)
    await writeMoving(trx, organizationId, true)
    return { action: 'organization.move_begun', result: undefined }
  })
  const begun = performance.now()
  const passed = () => (performance.now() - begun) / 1000
  for (;;) {
    const running = await readRunning(db, organizationId)
    if (passed() >= drainSeconds && Object.values(running).every((count) => count === 0)) return
    if (passed() > timeoutSeconds) throw new Refusal(describeLate(organizationId, timeoutSeconds, running))
    await wait(pollMs)
  }
}

function describeLate(organizationId: string, seconds: number, running: Running): string {
  const { messages, deliveries, reminders, turns, numbers } = running
  const work = `${messages} messages, ${deliveries} deliveries, ${turns} questions and ${reminders} reminders at work`
  const unstopped = numbers > 0 ? 'No worker has stopped its numbers: one must run. ' : ''
  return (
    `After ${seconds} s there are still ${work}. ${unstopped}The organization stays closed: run ` +
    `msgctl-server org begin-move ${organizationId} again to continue, or msgctl-server org cancel-move ` +
    `${organizationId} to open it.`
  )
}

/**
 * Opens an organization again. Do that only where its file was not imported, or after it was stopped in the other
 * installation. One whose move has ended can be opened while its data is kept here.
 */
export async function cancelMove(db: Db, organizationId: string): Promise<void> {
  await changeOrganization(db, organizationId, async (trx) => {
    const { movingAt, movedTo, isKept } = await requirePresent(trx, organizationId)
    if (movingAt === null) throw new Refusal('The organization does not move.')
    if (movedTo !== null && !isKept) {
      throw new Refusal(`The organization has moved to ${movedTo}, and its data is being deleted here.`)
    }
    await writeMoving(trx, organizationId, false)
    await closeLanes(trx, organizationId)
    await reconnectMoved(trx, organizationId)
    return { action: 'organization.move_cancelled', result: undefined }
  })
}

/** What ends a move. */
export interface EndOfMove {
  /** Where the organization works now. */
  readonly address: string
  /** What its import there printed. */
  readonly receipt: string
  readonly secrets: Secrets
}

/** Requires that the move of an organization can end with this receipt. Throws {@link Refusal}. */
export async function requireEndable(
  db: Db,
  organizationId: string,
  { receipt, secrets }: EndOfMove,
): Promise<MoveState> {
  const state = await requirePresent(db, organizationId)
  if (state.movedTo !== null) throw new Refusal(`The organization has moved to ${state.movedTo}.`)
  if (state.closedAt === null)
    throw new Refusal('The organization is not closed for a move. See msgctl-server org begin-move.')
  verifyReceipt(secrets, receipt, { organizationId, digests: state.exportedDigests })
  return state
}

/**
 * Ends the move of an organization, which the receipt shows to be imported elsewhere. Its calls are refused here with
 * ORGANIZATION_MOVED, and its data is deleted some days later (upkeep/erasure/erase-moved.ts).
 */
export async function endMove(db: Db, organizationId: string, end: EndOfMove): Promise<void> {
  const { address } = end
  await changeOrganization(db, organizationId, async (trx) => {
    await requireEndable(trx, organizationId, end)
    await writeMoved(trx, organizationId, address)
    return { action: 'organization.moved', details: { address }, result: undefined }
  })
}

async function requirePresent(trx: Db, organizationId: string): Promise<MoveState> {
  const state = await findMoveState(trx, organizationId)
  if (!state || state.isDeleted) throw new Refusal('The organization is deleted.')
  return state
}
