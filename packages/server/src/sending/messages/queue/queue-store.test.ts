import { expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'
import { makeOrganization } from '#testing/make.ts'
import { queryPlan } from '#testing/query-plan.ts'
import { testServices } from '#testing/services.ts'
import { insertTexts, type QueueRow } from './enqueue-store.ts'
import { writeSent } from './outcome-store.ts'
import { claimMessages, lockDueLanes } from './queue-store.ts'

const { db, clock } = await testServices()

/** Queues these messages, as in a transaction of their own. */
function store(queued: readonly QueueRow[]) {
  const alone = queued.map((row) => ({ row, claim: null }))
  return insertTexts(db, alone, true)
}

it('claims out of long queues by index alone, so that a backlog does not slow the claims', async () => {
  const organizationId = newId()
  const containers = Array.from({ length: 5 }, () => newId())
  for (const containerId of containers) {
    await openLane(organizationId, containerId)
    const waiting = Array.from({ length: 1000 }, () => queued(organizationId, containerId))
    await store(waiting)
  }
  await rows(db, 'analyze messages, lanes')
  const lanes = containers.map((containerId) => ({ containerId, highLimit: 5, limit: 5, campaignLimit: 5 }))
  const options = { token: crypto.randomUUID(), leaseMs: 30_000 }
  const plan = await queryPlan(db, (explaining) => claimMessages(explaining, lanes, options))
  expect(plan.filter((node) => /^(Seq Scan messages|Hash Join|Merge Join)/.test(node))).toEqual([])
  expect(await claimMessages(db, lanes, options)).toHaveLength(25)
})

it('writes outcomes by index alone, however many messages are stored', async () => {
  const [organizationId, containerId] = [newId(), newId()]
  await openLane(organizationId, containerId)
  const waiting = Array.from({ length: 5000 }, () => queued(organizationId, containerId))
  await store(waiting)
  const token = crypto.randomUUID()
  await rows(db, `update messages set status = 'sending', lease_token = :token`, { token })
  await rows(db, 'analyze messages')
  const settled = waiting.slice(0, 500).map(({ id }) => {
    return { id, containerId, token, outcome: sent(newId()) }
  })
  const plan = await queryPlan(db, (explaining) => writeSent(explaining, settled))
  expect(plan).toContain('Index Scan messages')
  expect(plan).not.toContain('Seq Scan messages')
  await writeSent(db, settled)
  const [counted] = await rows(db, `select count(*) as sent from messages where status = 'sent'`)
  expect(counted).toEqual({ sent: 500 })
})

it('finds the lanes in which campaigns wait by index alone, also when most messages belong to campaigns', async () => {
  await rows(db, 'delete from messages')
  await rows(db, 'delete from lanes')
  const { organizationId } = await makeOrganization({ db })
  const campaignId = newId()
  await rows(
    db,
    `insert into campaigns (id, organization_id, name, template, status, total, created_at)
     values (:campaignId, :organizationId, 'Large', 'hi', 'sending', 6000, service_now())`,
    { campaignId, organizationId },
  )
  const containers = Array.from({ length: 5 }, () => newId())
  for (const [n, containerId] of containers.entries()) {
    await openLane(organizationId, containerId)
    if (n >= 3) continue
    const waiting = Array.from({ length: 2000 }, (_, k) => {
      return { ...queued(organizationId, containerId), campaignId, recipient: `4915${n}000${1000 + k}` }
    })
    await store(waiting)
  }
  await rows(db, `update lanes set next_claim_at = (select service_now())`)
  await rows(db, 'analyze messages, lanes')
  const plan = await queryPlan(db, (explaining) => lockDueLanes(explaining, 200))
  expect(plan).toContain('Index Scan messages')
  expect(plan).not.toContain('Seq Scan messages')
  const lanes = await db.transaction((trx) => lockDueLanes(trx, 200))
  const campaigning = lanes.filter(({ hasCampaign }) => hasCampaign).map(({ containerId }) => containerId)
  expect([lanes.length, campaigning.sort()]).toEqual([5, containers.slice(0, 3).sort()])
})

function sent(networkId: string) {
  return { is: 'sent', networkId, raw: null, at: clock.now(), acknowledged: true } as const
}

async function openLane(organizationId: string, containerId: string): Promise<void> {
  await rows(
    db,
    'insert into lanes (container_id, organization_id, open) values (:containerId, :organizationId, true)',
    { containerId, organizationId },
  )
}

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
