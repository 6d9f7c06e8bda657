import { describe, expect, it } from 'vitest'
import { type Db, rows } from '#platform/db/db.ts'
import { makeTenant, startEdge, type Tenant } from '#testing/features/http-edge.ts'
import { queryPlan } from '#testing/query-plan.ts'
import { countDeliveries, listDeliveries } from './list-store.ts'
import { webhookHandlers } from './routes.ts'

const edge = await startEdge({ webhook: webhookHandlers })
const { db } = edge

/**
 * Stores events with one delivery each: of every thousand, the first is delivered, the second dropped, the others wait.
 */
async function backlog({ organizationId }: Pick<Tenant, 'organizationId'>, count: number): Promise<void> {
  await rows(
    db,
    `with made as (
       insert into events (id, organization_id, position, event, data, created_at)
       select gen_random_uuid(), :organizationId, n, 'session.needs_scan', '{}', service_now() + n * interval '1 ms'
         from generate_series(1, :count::int) n
       returning *
     )
     insert into webhook_deliveries (id, event_id, organization_id, endpoint_id, status, next_attempt_at, created_at)
     select id, id, organization_id, gen_random_uuid(), case position % 1000 when 1 then 'delivered'
       when 2 then 'dropped' else 'pending' end,
            created_at, created_at from made`,
    { organizationId, count },
  )
  await rows(db, 'analyze webhook_deliveries, events')
}

describe('GET /me/webhook/deliveries with a long backlog', async () => {
  const tenant = await makeTenant(db)
  await backlog(tenant, 10_150)
  await backlog(await makeTenant(db), 15_000)
  const list = async (query: string) => {
    const { body } = await edge.call('GET', `/me/webhook/deliveries?${query}`, { key: tenant.key })
    return body as { total: number; deliveries: { id: string }[] }
  }

  it('counts to 10,000, and further for a caller that reads further pages', async () => {
    expect((await list('limit=100')).total).toBe(10_000)
    expect((await list('limit=100&page=100')).total).toBe(10_001)
    expect(await list('limit=100&page=101')).toMatchObject({ total: 10_101, deliveries: { length: 100 } })
    expect(await list('limit=100&page=102')).toMatchObject({ total: 10_150, deliveries: { length: 50 } })
    expect(await list('status=dropped')).toMatchObject({ total: 11, deliveries: { 0: { sample: false } } })
  })

  it('finds the few of another kind behind the many, with any status or one', async () => {
    await rows(
      db,
      `update events set event = 'message.failed' where organization_id = :organizationId and position in (2, 7)`,
      { organizationId: tenant.organizationId },
    )
    const kinds = async (query: string) =>
      (await list(query)).deliveries.map((one) => (one as unknown as { event: string }).event)
    expect((await list('event=message.failed&limit=1')).total).toBe(2)
    expect(await kinds('event=message.failed')).toEqual(['message.failed', 'message.failed'])
    expect(await kinds('event=message.failed&status=dropped')).toEqual(['message.failed'])
    expect((await list('event=session.needs_scan&status=dropped')).total).toBe(10)
    expect(await list('event=message.read')).toMatchObject({ total: 0, deliveries: [] })
  })

  it('reads no delivery of another kind to list the few of a rare one', async () => {
    const { organizationId } = tenant
    const filter = { status: null, event: 'campaign.failed', eventId: null } as const
    const plan = await queryPlan(db, (explaining: Db) =>
      countDeliveries(explaining, organizationId, { ...filter, most: 10_000 }),
    )
    const reads = plan.filter((node) => /(events|webhook_deliveries)$/.test(node))
    expect(reads).toEqual([
      expect.stringMatching(/^Index.* events$/),
      expect.stringMatching(/^Index.* webhook_deliveries$/),
    ])
  })

  it.each(['pending', 'delivered', 'dropped', null] as const)('lists status %s by index', async (status) => {
    const { organizationId } = tenant
    const plan = await queryPlan(db, (explaining: Db) =>
      listDeliveries(explaining, organizationId, { status, event: null, eventId: null, page: 1, limit: 50 }),
    )
    expect(
      plan.filter((node) => /^((Seq Scan|Bitmap Heap Scan) (webhook_deliveries|events)|Hash|Merge Join)/.test(node)),
    ).toEqual([])
  })
})
