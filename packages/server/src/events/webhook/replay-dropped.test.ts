import { newSecretsKeys, openSecrets } from '@msgctl/network/secrets'
import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { localWake } from '#platform/db/wake.ts'
import { append, needsScan, recovered } from '#testing/features/events.ts'
import { makeTenant, startEdge, type Tenant } from '#testing/features/http-edge.ts'
import { webhookHandlers } from './routes.ts'

const wake = localWake()
const services = { secrets: openSecrets(newSecretsKeys()), wake }
const edge = await startEdge({ webhook: webhookHandlers }, { services })
const { db, clock } = edge
const call = (tenant: Tenant, method: string, path: string, body?: unknown) =>
  edge.call(method, `/me/webhook${path}`, { key: tenant.key, body })

interface Listed {
  readonly id: string
  readonly eventId: string
  readonly status: string
  readonly replay: boolean
}

async function deliveriesOf(tenant: Tenant): Promise<Listed[]> {
  return (await call(tenant, 'GET', '/deliveries?limit=100')).body.deliveries
}

/** A tenant with two events whose deliveries were dropped, the first one minute before the second. */
async function withDropped(): Promise<Tenant> {
  const tenant = await makeTenant(db)
  await call(tenant, 'PUT', '', { webhookUrl: 'https://example.com/hook' })
  const context = { db, wake }
  await append(context, needsScan(tenant.organizationId))
  await append(context, recovered(tenant.organizationId))
  await rows(
    db,
    `update webhook_deliveries d set status = 'dropped', attempts = 5, last_status = 503, finished_at = service_now(),
            created_at = service_now() - case e.event when 'session.needs_scan' then interval '2 min'
              else interval '1 min' end,
            attempt_log = '[{"at": "2026-01-01T00:00:00.000Z", "status": null, "error": "The connection was refused."},
                            {"at": "2026-01-01T00:00:05.000Z", "status": 503, "error": "503", "durationMs": 12,
                            "response": "busy"}]'
       from events e where e.id = d.event_id and d.organization_id = :organizationId`,
    { organizationId: tenant.organizationId },
  )
  return tenant
}

const replay = (tenant: Tenant, more: object = {}) =>
  call(tenant, 'POST', '/deliveries/replay', { status: 'dropped', ...more })

describe('GET /me/webhook/deliveries/:id', () => {
  it('shows the attempts and the body that is posted', async () => {
    const tenant = await withDropped()
    const [newest] = await deliveriesOf(tenant)
    const { status, body } = await call(tenant, 'GET', `/deliveries/${newest?.id}`)
    expect(status).toBe(200)
    expect(body.delivery).toEqual(newest)
    expect(body.attempts).toEqual([
      {
        at: '2026-01-01T00:00:00.000Z',
        status: null,
        durationMs: null,
        error: 'The connection was refused.',
        response: null,
      },
      { at: '2026-01-01T00:00:05.000Z', status: 503, durationMs: 12, error: '503', response: 'busy' },
    ])
    expect(body.body).toMatchObject({
      event: 'session.recovered',
      data: { status: 'WORKING' },
      timestamp: expect.any(String),
    })
  })

  it('finds nothing of another organization', async () => {
    const [theirs] = await deliveriesOf(await withDropped())
    const { status, body } = await call(await makeTenant(db), 'GET', `/deliveries/${theirs?.id}`)
    expect([status, body.error.code]).toEqual([404, 'NOT_FOUND'])
  })
})

describe('POST /me/webhook/deliveries/replay', () => {
  it('plans what was dropped again, and nothing twice', async () => {
    const tenant = await withDropped()
    expect(await replay(tenant)).toMatchObject({ status: 202, body: { success: true, count: 2 } })
    const planned = (await deliveriesOf(tenant)).filter((one) => one.replay)
    expect(planned.map(({ status }) => status)).toEqual(['pending', 'pending'])
    expect((await replay(tenant)).body.count).toBe(0)
    // A replay that was dropped, too, is worth another one.
    await rows(db, `update webhook_deliveries set status = 'dropped' where id = :id`, { id: planned[0]?.id ?? '' })
    expect((await replay(tenant)).body.count).toBe(1)
  })

  it('plans those of a period', async () => {
    const tenant = await withDropped()
    const cut = new Date(clock.now().getTime() - 90_000).toISOString()
    expect((await replay(tenant, { to: cut })).body.count).toBe(1)
    expect((await replay(tenant, { to: cut })).body.count).toBe(0)
    expect((await replay(tenant, { from: cut })).body.count).toBe(1)
  })

  it('leaves out what was delivered since, samples, and endpoints that are gone', async () => {
    const tenant = await withDropped()
    const { organizationId } = tenant
    await replay(tenant)
    await rows(
      db,
      `update webhook_deliveries set status = 'delivered' where organization_id = :organizationId and replay`,
      {
        organizationId,
      },
    )
    expect((await replay(tenant)).body.count).toBe(0)
    const gone = await withDropped()
    await call(gone, 'PUT', '', { webhookUrl: null })
    expect((await replay(gone)).body.count).toBe(0)
    const sampled = await withDropped()
    await rows(db, 'update events set sample = true where organization_id = :organizationId', {
      organizationId: sampled.organizationId,
    })
    expect((await replay(sampled)).body.count).toBe(0)
  })

  it('takes dropped deliveries only, and an Idempotency-Key', async () => {
    const tenant = await withDropped()
    expect((await replay(tenant, { status: 'pending' })).body.error.issues).toMatchObject([{ field: 'status' }])
    const twice = () =>
      edge.call('POST', '/me/webhook/deliveries/replay', {
        key: tenant.key,
        body: { status: 'dropped' },
        headers: { 'idempotency-key': 'again' },
      })
    expect((await twice()).body.count).toBe(2)
    expect((await twice()).body.count).toBe(2)
    expect(await deliveriesOf(tenant)).toHaveLength(4)
  })
})
