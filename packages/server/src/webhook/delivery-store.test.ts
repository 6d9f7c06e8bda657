import { expect, it } from 'vitest'
import { rows } from '../db/db.ts'
import { queryPlan } from '../test/query-plan.ts'
import { claimDeliveries } from './delivery-store.ts'
import { deliverySlots } from './slots.ts'
import { deliveryBench } from './test-deliveries.ts'

const { services, subscriber, happen } = await deliveryBench()
const { db } = services

it('claims out of a long queue by index alone, so that a backlog does not slow the claims', async () => {
  const { organizationId } = await subscriber('http://127.0.0.1:9999/')
  await happen(organizationId, 5000)
  await rows(db, 'analyze events, webhook_deliveries, webhooks')
  const [offer = expect.fail()] = deliverySlots({ brisk: 192, slow: 64, perOrganization: 16 }).offers()
  const plan = await queryPlan(db, (explaining) => claimDeliveries(explaining, offer, []))
  expect(plan).toContain('Index Scan events')
  expect(plan.filter((node) => /^(Seq Scan (events|webhook_deliveries)|Hash Join|Merge Join)/.test(node))).toEqual([])
  expect(await claimDeliveries(db, offer, [])).toHaveLength(2)
})
