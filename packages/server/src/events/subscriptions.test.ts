import type { LoggedEvent } from '@msgctl/contract'
import { afterEach, describe, expect, it } from 'vitest'
import { hashCredential } from '#api/access/authenticate.ts'
import type { Frame } from '#api/http/handler.ts'
import { rows, transaction } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'
import { append, needsScan, recovered } from '#testing/features/events.ts'
import { makeTenant, makeToken, type Tenant } from '#testing/features/http-edge.ts'
import { testServices } from '#testing/services.ts'
import { appendSample } from './append.ts'
import { parseCursor } from './cursor.ts'
import { toEventFilter } from './filter.ts'
import { type FollowOptions, follow } from './follow.ts'
import { subscriptionsOf } from './subscriptions.ts'

const services = await testServices()
const { db } = services
const tails = subscriptionsOf(services)

const closes: (() => Promise<void>)[] = []
afterEach(() => Promise.all(closes.splice(0).map((close) => close())))

interface Stream {
  /** The marks of the next `count` events; heartbeats and the greeting are passed over. */
  next(count: number): Promise<string[]>
  /** The next frame of any sort; undefined at the end. */
  frame(): Promise<Frame<LoggedEvent> | undefined>
  close(): Promise<void>
}

async function stream(tenant: Tenant, options: Partial<FollowOptions> = {}, through = tails): Promise<Stream> {
  const { organizationId, key } = tenant
  const kind = key.startsWith('msk_') ? 'account_key' : 'user'
  const opened = await through.open({ kind, organizationId, credentialHash: hashCredential(key) })
  closes.push(opened.close)
  const frames = follow(db, opened, { organizationId, after: opened.position, filter: toEventFilter({}), ...options })
  const frame = async () => (await frames.next()).value as Frame<LoggedEvent> | undefined
  return {
    frame,
    close: opened.close,
    async next(count) {
      const marks: string[] = []
      while (marks.length < count) {
        const { data } = (await frame()) ?? expect.fail('the stream ended')
        if (data) marks.push((data.data as { session: string }).session)
      }
      return marks
    },
  }
}

describe('a stream of events', () => {
  it('begins now, says something at once, and carries each event with its id', async () => {
    const tenant = await makeTenant(db)
    await append(services, recovered(tenant.organizationId, 'before'))
    const tail = await stream(tenant)
    expect(await tail.frame()).toEqual({ id: expect.any(String), comment: 'following' })
    await append(services, recovered(tenant.organizationId, 'after'))
    const frame = await tail.frame()
    expect(frame).toMatchObject({ data: { event: 'session.recovered', data: { session: 'after' } } })
    expect(frame?.id).toBe(frame?.data?.id)
  })

  it('carries no sample', async () => {
    const tenant = await makeTenant(db)
    const tail = await stream(tenant)
    const { event, data } = recovered(tenant.organizationId, 'sample')
    await transaction(db, (trx) =>
      appendSample(trx, { organizationId: tenant.organizationId, endpointId: newId() }, event, data),
    )
    await append(services, recovered(tenant.organizationId, 'real'))
    expect(await tail.next(1)).toEqual(['real'])
    const resumed = await stream(tenant, { after: 0 })
    expect(await resumed.next(1)).toEqual(['real'])
  })

  it('names its position in its first frame, so that one cut before the first event misses nothing', async () => {
    const tenant = await makeTenant(db)
    await append(services, recovered(tenant.organizationId, 'before'))
    const greeting = await (await stream(tenant)).frame()
    await append(services, recovered(tenant.organizationId, 'between'))
    const place = parseCursor(greeting?.id ?? '')
    const resumed = await stream(tenant, { after: 'position' in place ? place.position : -1 })
    expect(await resumed.next(1)).toEqual(['between'])
  })

  it('first catches up from the requested position; no gap or repeat where the log meets live events', async () => {
    const tenant = await makeTenant(db)
    const { organizationId } = tenant
    const marks = Array.from({ length: 450 }, (_, at) => `old ${at}`)
    await append(services, ...marks.map((mark) => recovered(organizationId, mark)))
    const tail = await stream(tenant, { after: 0 })
    const first = await tail.next(100)
    await append(services, recovered(organizationId, 'new 1'))
    await append(services, recovered(organizationId, 'new 2'))
    expect([...first, ...(await tail.next(352))]).toEqual([...marks, 'new 1', 'new 2'])
  })

  it('joins a stream that is open already at its own position', async () => {
    const tenant = await makeTenant(db)
    const [early, late] = [await stream(tenant), await stream(tenant, { after: 0 })]
    await append(services, ...['a', 'b', 'c'].map((mark) => recovered(tenant.organizationId, mark)))
    expect(await early.next(3)).toEqual(['a', 'b', 'c'])
    const later = await stream(tenant, { after: 1 })
    await append(services, recovered(tenant.organizationId, 'd'))
    expect([await late.next(4), await later.next(3)]).toEqual([
      ['a', 'b', 'c', 'd'],
      ['b', 'c', 'd'],
    ])
  })

  it('loses nothing when its reader is slower than its buffer', async () => {
    const tenant = await makeTenant(db)
    const tail = await stream(tenant)
    const fast = await stream(tenant)
    const marks = Array.from({ length: 2500 }, (_, at) => `${at}`)
    await append(services, ...marks.map((mark) => recovered(tenant.organizationId, mark)))
    expect(await fast.next(2500)).toEqual(marks)
    expect(await tail.next(2500)).toEqual(marks)
  })

  it('passes on only the requested kinds, from the log and from new events', async () => {
    const tenant = await makeTenant(db)
    const { organizationId } = tenant
    await append(services, recovered(organizationId, 'a'), needsScan(organizationId, 'b'))
    const tail = await stream(tenant, { after: 0, filter: toEventFilter({ types: ['session.needs_scan'] }) })
    expect(await tail.next(1)).toEqual(['b'])
    await append(services, recovered(organizationId, 'c'), needsScan(organizationId, 'd'))
    expect(await tail.next(1)).toEqual(['d'])
  })

  it("never carries another organization's events", async () => {
    const [mine, theirs] = [await makeTenant(db), await makeTenant(db)]
    const [tail, other] = [await stream(mine), await stream(theirs)]
    await append(services, recovered(theirs.organizationId, 'theirs'), recovered(mine.organizationId, 'mine'))
    expect([await tail.next(1), await other.next(1)]).toEqual([['mine'], ['theirs']])
  })
})

describe('a heartbeat', () => {
  it('reaches every stream', async () => {
    const tail = await stream(await makeTenant(db))
    await tail.frame()
    await tails.beat()
    expect(await tail.frame()).toEqual({ id: expect.any(String), comment: 'heartbeat' })
  })

  it.each([
    ['its key was replaced', 'delete from api_keys where organization_id = :organizationId'],
    [
      'its product was paused',
      'update organization_products set paused_at = service_now() where organization_id = :organizationId',
    ],
    [
      'the organization was deactivated',
      'update organizations set deactivated_at = service_now() where id = :organizationId',
    ],
  ])('ends a stream when %s', async (_why, change) => {
    const [tenant, other] = [await makeTenant(db), await makeTenant(db)]
    const [tail, untouched] = [await stream(tenant), await stream(other)]
    await Promise.all([tail.frame(), untouched.frame()])
    await rows(db, change, { organizationId: tenant.organizationId })
    await tails.beat()
    expect(await tail.frame()).toBeUndefined()
    expect(await untouched.frame()).toEqual({ id: expect.any(String), comment: 'heartbeat' })
  })

  it('ends the stream of a user who left the organization', async () => {
    const { organizationId } = await makeTenant(db)
    const tail = await stream({ organizationId, key: await makeToken(db, organizationId, 'member') })
    await tail.frame()
    await tails.beat()
    expect(await tail.frame()).toEqual({ id: expect.any(String), comment: 'heartbeat' })
    await rows(db, 'delete from members where organization_id = :organizationId', { organizationId })
    await tails.beat()
    expect(await tail.frame()).toBeUndefined()
  })
})

describe('the streams of one organization', () => {
  it('release their leases when they are ended', async () => {
    const tenant = await makeTenant(db)
    const open = await Promise.all(Array.from({ length: 20 }, () => stream(tenant)))
    await Promise.all(open.map((tail) => tail.frame()))
    await rows(db, 'update api_keys set key_hash = :other where organization_id = :id', {
      other: hashCredential('another'),
      id: tenant.organizationId,
    })
    await tails.beat()
    await Promise.all(open.map(async (tail) => expect(await tail.frame()).toBeUndefined()))
    await stream(tenant)
  })

  it('are twenty at most, and a closed one makes room', async () => {
    const [tenant, other] = [await makeTenant(db), await makeTenant(db)]
    const open = await Promise.all(Array.from({ length: 20 }, () => stream(tenant)))
    await expect(stream(tenant)).rejects.toMatchObject({ code: 'RATE_LIMIT', details: { retryAfterSeconds: 15 } })
    await stream(other)
    await open[0]?.close()
    await stream(tenant)
    await expect(stream(tenant)).rejects.toMatchObject({ code: 'RATE_LIMIT' })
  })

  it('are twenty over all processes, and those of a dead one count for three heartbeats', async () => {
    const tenant = await makeTenant(db)
    const another = subscriptionsOf({ ...services })
    await Promise.all(Array.from({ length: 15 }, () => stream(tenant)))
    const rest = await Promise.allSettled(Array.from({ length: 8 }, () => stream(tenant, {}, another)))
    expect(rest.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    await services.clock.advance(44)
    // The first process is alive and sends its heartbeat, the other one does not.
    await tails.beat()
    await expect(stream(tenant)).rejects.toMatchObject({ code: 'RATE_LIMIT' })
    await services.clock.advance(2)
    await Promise.all(Array.from({ length: 5 }, () => stream(tenant)))
    await expect(stream(tenant, {}, another)).rejects.toMatchObject({ code: 'RATE_LIMIT' })
  })

  it('share their queries: a hundred of them do not read a hundred times', async () => {
    const tenants = await Promise.all(Array.from({ length: 5 }, () => makeTenant(db)))
    const open = await Promise.all(tenants.flatMap((tenant) => Array.from({ length: 20 }, () => stream(tenant))))
    let queries = 0
    const count = ({ sql }: { sql: string }) => {
      if (sql.includes('unnest')) queries += 1
    }
    db.on('query', count)
    await append(services, ...tenants.map(({ organizationId }) => recovered(organizationId, 'news')))
    const heard = await Promise.all(open.map((tail) => tail.next(1)))
    db.off('query', count)
    expect(heard.flat()).toEqual(Array.from({ length: 100 }, () => 'news'))
    expect(queries).toBeLessThan(20)
  })
})
