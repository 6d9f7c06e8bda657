import { limits } from '@msgctl/contract'
import { hasOpenEnd } from '#billing/operations/operation-store.ts'
import { closeNumbers, removeSessions } from '#numbers/close.ts'
import { type DeletedOrganization, finishErasure, listDeleted } from '#people/organizations/deletion-store.ts'
import { lockOrganization } from '#people/organizations/store.ts'
import { crashPoint } from '#platform/crash-points.ts'
import { type Db, transaction } from '#platform/db/db.ts'
import { workOn } from '#platform/set-aside/work.ts'
import type { Services } from '#services.ts'
import { readErasable } from './catalogue-store.ts'
import { eraseSome, listNotEmpty } from './erase-store.ts'
import { type Erasable, planErasure } from './plan.ts'

const batch = 5000
/**
 * The days for which the erasure waits for a network that cannot be reached, so that no session stays there, and for a
 * payment provider, so that no subscription does.
 */
const patienceDays = 7
/** Triggers of deleted rows add rows to other tables, which the next pass deletes. */
const mostPasses = 5

/**
 * Unlinks the numbers of deleted organizations, and erases those whose time has come. Each batch is a transaction of
 * its own: after a crash the next run continues.
 */
export async function eraseDeleted(services: Services): Promise<void> {
  for (const deleted of await listDeleted(services.db, { keptDays: limits.erasureDays, patienceDays })) {
    const { organizationId } = deleted
    await workOn(services, 'erasures', [{ id: organizationId, organizationId }], {
      run: () => handle(services, deleted),
    })
  }
}

async function handle(services: Services, deleted: DeletedOrganization): Promise<void> {
  const { organizationId } = deleted
  try {
    if (deleted.isDue) await erase(services, deleted)
    else await closeNumbers(services, organizationId)
  } catch (error) {
    services.log.warn(
      { event: 'erasure_failed', err: error, organizationId },
      'failed to erase an organization; the next run continues',
    )
  }
}

async function erase(services: Services, { organizationId, isOverdue }: DeletedOrganization): Promise<void> {
  const { db, log } = services
  const areGone = await removeSessions(services, organizationId)
  const isPaid = await hasOpenEnd(db, organizationId)
  if ((!areGone || isPaid) && !isOverdue) return
  if (isPaid) {
    const line = { event: 'billing_end_failed', organizationId } as const
    log.error(line, 'erased an organization whose subscription may continue: end it at the payment provider')
  }
  crashPoint('erasure.number-removed')
  const tables = await readErasable(db)
  for (let pass = 1; pass <= mostPasses; pass += 1) {
    await eraseRows(db, organizationId, tables)
    const left = await finish(db, organizationId, tables)
    if (left.length > 0) continue
    log.info({ event: 'organization_erased', organizationId }, 'erased an organization')
    return
  }
}

/** Deletes the row of the organization, unless a table has rows of it: returns those. */
async function finish(db: Db, organizationId: string, tables: readonly Erasable[]): Promise<string[]> {
  return transaction(db, async (trx) => {
    await lockOrganization(trx, organizationId)
    const named = tables.filter(({ hasOrganization }) => hasOrganization).map(({ table }) => table)
    const left = await listNotEmpty(trx, organizationId, named)
    if (left.length === 0) await finishErasure(trx, organizationId)
    crashPoint('erasure.before-commit')
    return left
  })
}

async function eraseRows(db: Db, organizationId: string, tables: readonly Erasable[]): Promise<void> {
  for (const step of planErasure(tables)) {
    for (let erased = batch; erased === batch; ) {
      erased = await eraseSome(db, organizationId, step, batch)
      if (erased > 0) crashPoint('erasure.batch-committed')
    }
  }
}
