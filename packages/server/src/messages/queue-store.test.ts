import { v7 as newId } from 'uuid'
import { expect, it } from 'vitest'
import { rows } from '../db/db.ts'
import { queryPlan } from '../test/query-plan.ts'
import { testServices } from '../test/services.ts'
import { insertQueued, type QueueRow } from './enqueue-store.ts'
import { claimMessages } from './queue-store.ts'

const { db, clock } = await testServices()

it('claims out of long queues by index alone, so that a backlog does not slow the claims', async () => {
  const organizationId = newId()
  const containers = Array.from({ length: 5 }, () => newId())
  for (const containerId of containers) {
    await rows(
      db,
      'insert into lanes (container_id, organization_id, open) values (:containerId, :organizationId, true)',
      { containerId, organizationId },
    )
    const waiting = Array.from({ length: 1000 }, () => queued(organizationId, containerId))
    await db.transaction((trx) => insertQueued(trx, waiting))
  }
  await rows(db, 'analyze messages, lanes')
  const lanes = containers.map((containerId) => ({ containerId, highRoom: 5, room: 5, campaignRoom: 5 }))
  const options = { token: crypto.randomUUID(), leaseMs: 30_000 }
  const plan = await queryPlan(db, (explaining) => claimMessages(explaining, lanes, options))
  expect(plan.filter((node) => /^(Seq Scan messages|Hash Join|Merge Join)/.test(node))).toEqual([])
  expect(await claimMessages(db, lanes, options)).toHaveLength(25)
})

function queued(organizationId: string, containerId: string): QueueRow {
  const id = newId()
  return {
    id,
    organizationId,
    containerId,
    type: 'alert',
    recipient: '12025550100',
    content: 'Your order is ready.',
    priority: 'normal',
    pinned: false,
    clientReference: null,
    networkClientId: id,
    dueAt: clock.now(),
    queueAt: clock.now(),
  }
}
