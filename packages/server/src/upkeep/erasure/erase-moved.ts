import { limits } from '@msgctl/contract'
import { listMovedAway, writeMovedErased } from '#people/organizations/move-store.ts'
import type { Db } from '#platform/db/db.ts'
import { workOn } from '#platform/set-aside/work.ts'
import type { Services } from '#services.ts'
import { readErasable } from './catalogue-store.ts'
import { eraseSome } from './erase-store.ts'
import { planErasure } from './plan.ts'

const batch = 5000
/** What recognizes the callers of an organization that has moved. */
const kept = new Set(['api_keys', 'members', 'user_tokens'])

type MovedServices = Pick<Services, 'db' | 'log'>

/**
 * Deletes the data of organizations that have moved away long enough ago, but for keys, sessions and members, which
 * recognize their callers. Their numbers stay linked: the networks are not asked. After a crash the next run continues.
 */
export async function eraseMoved(services: MovedServices): Promise<void> {
  for (const { organizationId } of await listMovedAway(services.db, limits.erasureDays)) {
    await workOn(services, 'erasures', [{ id: organizationId, organizationId }], {
      run: () => eraseOne(services, organizationId),
    })
  }
}

async function eraseOne({ db, log }: MovedServices, organizationId: string): Promise<void> {
  const erased = await eraseData(db, organizationId)
  await writeMovedErased(db, organizationId)
  log.info(
    { event: 'moved_organization_erased', organizationId, rows: erased },
    'deleted what moved to another installation',
  )
}

async function eraseData(db: Db, organizationId: string): Promise<number> {
  const steps = planErasure(await readErasable(db)).filter(({ table }) => !kept.has(table))
  let erased = 0
  // Triggers of deleted rows add rows to other tables, which the next pass deletes.
  for (let inPass = 1; inPass > 0; erased += inPass) {
    inPass = 0
    for (const step of steps) {
      for (let some = batch; some === batch; inPass += some) some = await eraseSome(db, organizationId, step, batch)
    }
  }
  return erased
}
