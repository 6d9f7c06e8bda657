import { describe, expect, it } from 'vitest'
import { hashCredential } from '#api/access/authenticate.ts'
import { rows } from '#platform/db/db.ts'
import { localWake } from '#platform/db/wake.ts'
import type { Services } from '#services.ts'
import { append, needsScan, recovered } from '#testing/features/events.ts'
import { makeTenant, startEdge, type Tenant } from '#testing/features/http-edge.ts'
import { requireContractOfEvents } from './append.ts'
import { toEventFilter } from './filter.ts'
import { follow } from './follow.ts'
import { purgeEvents } from './purge.ts'
import { eventHandlers } from './routes.ts'
import { subscriptionsOf } from './subscriptions.ts'

requireContractOfEvents()
const wake = localWake()
const edge = await startEdge({ events: eventHandlers }, { services: { wake } })
const { db, clock } = edge
const services = { db, wake }

const list = ({ key }: Tenant, query = '') => edge.call('GET', `/events${query}`, { key })
const marks = (body: { events: { data: { session: string } }[] }) => body.events.map(({ data }) => data.session)

async function tenantWith(...sessions: string[]): Promise<Tenant> {
  const tenant = await makeTenant(db)
  await append(services, ...sessions.map((mark) => recovered(tenant.organizationId, mark)))
  return tenant
}

describe('GET /events', () => {
  it('lists events oldest first, as the log shows them', async () => {
    const { body, status } = await list(await tenantWith('a', 'b'))
    expect(status).toBe(200)
    expect(body).toMatchObject({
      success: true,
      hasMore: false,
      events: [
        { event: 'session.recovered', data: { session: 'a' }, id: expect.any(String), timestamp: expect.any(String) },
        { data: { session: 'b' } },
      ],
    })
  })

  it('continues where the last page ended, also when there was nothing more', async () => {
    const tenant = await tenantWith('a', 'b', 'c')
    const first = (await list(tenant, '?limit=2')).body
    expect([marks(first), first.hasMore]).toEqual([['a', 'b'], true])
    const second = (await list(tenant, `?limit=2&after=${first.nextCursor}`)).body
    expect([marks(second), second.hasMore]).toEqual([['c'], false])
    await append(services, recovered(tenant.organizationId, 'd'))
    expect(marks((await list(tenant, `?after=${second.nextCursor}`)).body)).toEqual(['d'])
    const end = (await list(tenant, `?after=${(await list(tenant)).body.nextCursor}`)).body
    expect(end).toMatchObject({ events: [], hasMore: false })
  })

  it('is empty, with a cursor to continue from, before the first event', async () => {
    const tenant = await makeTenant(db)
    const { body } = await list(tenant)
    expect(body).toMatchObject({ events: [], hasMore: false })
    await append(services, recovered(tenant.organizationId, 'first'))
    expect(marks((await list(tenant, `?after=${body.nextCursor}`)).body)).toEqual(['first'])
  })

  it('reads at most 50,000 events for one page, and continues behind them with the next', async () => {
    const tenant = await tenantWith('first')
    const { organizationId } = tenant
    await rows(
      db,
      `insert into events (id, organization_id, position, event, data, created_at)
       select gen_random_uuid(), :organizationId, n, 'session.needs_scan', '{}', service_now()
         from generate_series(2, 50001) n`,
      { organizationId },
    )
    await rows(db, 'update event_positions set last_position = 50001 where organization_id = :organizationId', {
      organizationId,
    })
    await append(services, recovered(organizationId, 'last'))
    const first = (await list(tenant, '?types=session.recovered')).body
    expect([marks(first), first.hasMore]).toEqual([['first'], true])
    const second = (await list(tenant, `?types=session.recovered&after=${first.nextCursor}`)).body
    expect([marks(second), second.hasMore]).toEqual([['last'], false])
    const tail = await subscriptionsOf(services as Services).open({
      kind: 'account_key',
      organizationId,
      credentialHash: hashCredential(tenant.key),
    })
    const seen: string[] = []
    for await (const { data } of follow(db, tail, {
      organizationId,
      after: 0,
      filter: toEventFilter({ types: ['session.recovered'] }),
    })) {
      if (data) seen.push((data.data as { session: string }).session)
      if (seen.length === 2) break
    }
    expect(seen).toEqual(['first', 'last'])
  })

  it('lists only the requested kinds, and its cursor passes over the others', async () => {
    const tenant = await tenantWith('a')
    const { organizationId } = tenant
    await append(
      services,
      needsScan(organizationId, 'b'),
      recovered(organizationId, 'c'),
      recovered(organizationId, 'd'),
    )
    const page = (await list(tenant, '?types=session.needs_scan')).body
    expect([marks(page), page.hasMore]).toEqual([['b'], false])
    expect(marks((await list(tenant, `?after=${page.nextCursor}`)).body)).toEqual([])
    const several = (await list(tenant, '?types=session.needs_scan,session.recovered&limit=2')).body
    expect([marks(several), several.hasMore]).toEqual([['a', 'b'], true])
  })

  it('continues after the id of an event too', async () => {
    const tenant = await tenantWith('a', 'b')
    const [first] = (await list(tenant)).body.events
    expect(marks((await list(tenant, `?after=${first.id}`)).body)).toEqual(['b'])
  })

  it('refuses a cursor that is none, and the id of an event of another organization', async () => {
    const [tenant, other] = [await tenantWith('a'), await tenantWith('b')]
    const foreign = (await list(other)).body.events[0].id
    for (const after of ['nonsense', foreign]) {
      expect((await list(tenant, `?after=${after}`)).body.error).toMatchObject({
        code: 'VALIDATION_ERROR',
        details: { after: [expect.any(String)] },
      })
    }
  })

  it('refuses a cursor from beyond its end, whose reader would silently miss what happens next', async () => {
    const tenant = await tenantWith('a')
    const { nextCursor } = (await list(await tenantWith('a', 'b'))).body
    for (const path of ['/events', '/events/stream']) {
      const answer = await edge.call('GET', `${path}?after=${nextCursor}`, { key: tenant.key })
      expect(answer.body.error).toMatchObject({ code: 'VALIDATION_ERROR', details: { after: [expect.any(String)] } })
    }
    await append(services, recovered(tenant.organizationId, 'b'))
    expect((await list(tenant, `?after=${nextCursor}`)).body).toMatchObject({ events: [], hasMore: false, nextCursor })
  })

  it("never lists another organization's events", async () => {
    const [mine] = [await tenantWith('mine'), await tenantWith('theirs')]
    expect(marks((await list(mine)).body)).toEqual(['mine'])
  })
})

describe('GET /events/stream', () => {
  interface Sse {
    readonly status: number
    /** The next `count` events. */
    next(count: number): Promise<{ id: string; session: string }[]>
    leave(): void
  }

  async function stream({ key }: Tenant, query = '', headers: Record<string, string> = {}): Promise<Sse> {
    const gone = new AbortController()
    const { signal } = gone
    const url = `${edge.server.address}/api/v1/events/stream${query}`
    const response = await fetch(url, { headers: { 'X-API-Key': key, ...headers }, signal })
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    return {
      status: response.status,
      leave: () => gone.abort(),
      async next(count) {
        const found: { id: string; session: string }[] = []
        while (found.length < count) {
          const end = text.indexOf('\n\n')
          if (end < 0) {
            const more = await reader?.read()
            if (!more || more.done) throw new Error('the stream ended')
            text += more.value
            continue
          }
          const frame = text.slice(0, end)
          text = text.slice(end + 2)
          const id = /^id: (.*)$/m.exec(frame)?.[1]
          const data = /^data: (.*)$/m.exec(frame)?.[1]
          if (id && data) found.push({ id, session: JSON.parse(data).data.session })
        }
        return found
      },
    }
  }
  const sessions = (events: { session: string }[]) => events.map(({ session }) => session)

  it('carries what happens from now on', async () => {
    const tenant = await tenantWith('before')
    const tail = await stream(tenant)
    expect(tail.status).toBe(200)
    await append(services, recovered(tenant.organizationId, 'after'))
    expect(sessions(await tail.next(1))).toEqual(['after'])
    tail.leave()
  })

  it('resumes behind Last-Event-ID, which beats after, with nothing skipped or repeated', async () => {
    const tenant = await tenantWith('a', 'b')
    const whole = await stream(tenant, `?after=${(await list(await makeTenant(db))).body.nextCursor}`)
    const [first] = await whole.next(2)
    whole.leave()
    await append(services, recovered(tenant.organizationId, 'c'))
    const resumed = await stream(tenant, `?after=${(await list(tenant)).body.nextCursor}`, {
      'Last-Event-ID': first?.id ?? '',
    })
    await append(services, recovered(tenant.organizationId, 'd'))
    expect(sessions(await resumed.next(3))).toEqual(['b', 'c', 'd'])
    resumed.leave()
  })

  it('misses nothing after the list of an empty log, whose cursor it takes', async () => {
    const tenant = await makeTenant(db)
    const { events, nextCursor } = (await list(tenant, '?order=newest&limit=1')).body
    expect(events).toEqual([])
    await append(services, recovered(tenant.organizationId, 'between'))
    const tail = await stream(tenant, `?after=${nextCursor}`)
    expect(sessions(await tail.next(1))).toEqual(['between'])
    tail.leave()
  })

  it('refuses an unknown position before the stream begins', async () => {
    const tenant = await makeTenant(db)
    const answer = await edge.call('GET', '/events/stream?after=nonsense', { key: tenant.key })
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR' } } })
  })

  it('responds with RATE_LIMIT to the twenty-first of an organization, until one leaves', async () => {
    const tenant = await makeTenant(db)
    const open = await Promise.all(Array.from({ length: 20 }, () => stream(tenant)))
    const refused = await edge.call('GET', '/events/stream', { key: tenant.key })
    expect(refused).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMIT' } } })
    expect(refused.headers.get('retry-after')).toBe('15')
    open[0]?.leave()
    await expect
      .poll(async () => {
        const one = await stream(tenant)
        open.push(one)
        return one.status
      })
      .toBe(200)
    for (const one of open) one.leave()
  })
})

describe('the purge', () => {
  it('deletes events older than 30 days with their deliveries, and nothing else', async () => {
    const tenant = await makeTenant(db)
    const { organizationId } = tenant
    await rows(
      db,
      `insert into webhooks (organization_id, url, updated_at)
        values (:organizationId, 'https://example.com/', service_now())`,
      { organizationId },
    )
    await append(services, recovered(organizationId, 'old'))
    await clock.advance(29 * 86_400)
    await append(services, recovered(organizationId, 'young'))
    await purgeEvents(db, 30)
    expect(marks((await list(tenant)).body)).toEqual(['old', 'young'])
    await clock.advance(86_401)
    await purgeEvents(db, 30)
    const left = await list(tenant)
    expect(marks(left.body)).toEqual(['young'])
    const deliveries = await rows<{ eventId: string }>(
      db,
      'select event_id from webhook_deliveries where organization_id = :organizationId',
      { organizationId },
    )
    expect(deliveries.map(({ eventId }) => eventId)).toEqual([left.body.events[0].id])
    await append(services, recovered(organizationId, 'next'))
    expect(marks((await list(tenant, `?after=${left.body.nextCursor}`)).body)).toEqual(['next'])
  })
})
