import { expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { deliveryBench } from '#testing/features/deliveries.ts'
import { queryPlan } from '#testing/query-plan.ts'
import { concurrencyLimiter } from './concurrency-limiter.ts'
import { type ClaimedDelivery, claimDeliveries, writeOutcomes } from './delivery-store.ts'
import { toOutcome } from './outcome.ts'

const { services, subscriber, appendSamples, stored } = await deliveryBench()
const { db, clock } = services
const leaseToken = crypto.randomUUID()

async function backlog(count: number) {
  const { organizationId } = await subscriber('http://127.0.0.1:9999/')
  await appendSamples(organizationId, count)
  await rows(db, 'analyze events, webhook_deliveries, webhooks')
  const [offer = expect.fail()] = concurrencyLimiter({ fast: 192, slow: 64, perEndpoint: 16 }).claimQuotas()
  return { organizationId, offer }
}

const outcome = (delivery: ClaimedDelivery) => toOutcome(delivery, { at: clock.now(), durationMs: 1, status: 200 }, 0.5)
const readsAll = /^(Seq|Full Index( Only)?) Scan (events|webhook_deliveries)/

it('claims out of a long queue by index alone, so that a backlog does not slow the claims', async () => {
  const { offer } = await backlog(5000)
  const plan = await queryPlan(db, (explaining) => claimDeliveries(explaining, offer, leaseToken))
  expect(plan).toContain('Index Scan events')
  expect(plan.filter((node) => /^Seq Scan (events|webhook_deliveries)|^(Merge|Hash) Join/.test(node))).toEqual([])
  // Nor does it sort everything that waits, of which it takes the first few.
  expect(plan).not.toContain('Bitmap Heap Scan webhook_deliveries')
  expect(await claimDeliveries(db, offer, leaseToken)).toHaveLength(2)
})

it('writes outcomes by index alone, however many deliveries are stored', async () => {
  const { offer } = await backlog(5000)
  const outcomes = (await claimDeliveries(db, offer, leaseToken)).map(outcome)
  const plan = await queryPlan(db, (explaining) => writeOutcomes(explaining, outcomes))
  expect(plan).toContain('Index Scan webhook_deliveries')
  expect(plan.filter((node) => readsAll.test(node))).toEqual([])
})

it('claims what the process holds again when the clock was moved, and its outcome counts still', async () => {
  const { organizationId, offer } = await backlog(1)
  const [held = expect.fail()] = await claimDeliveries(db, offer, leaseToken)
  await clock.advance(31)
  expect(await claimDeliveries(db, offer, leaseToken)).toEqual([{ ...held, lostProcesses: 1 }])
  await writeOutcomes(db, [outcome(held)])
  expect(await stored(organizationId)).toMatchObject([{ status: 'delivered', attempts: 1, leaseToken: null }])
})
