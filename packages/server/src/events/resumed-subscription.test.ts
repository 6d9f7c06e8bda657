import { describe, expect, it } from 'vitest'
import { type Db, rows } from '#platform/db/db.ts'
import { eventually } from '#testing/eventually.ts'
import { recovered } from '#testing/features/events.ts'
import { makeOrganization } from '#testing/make.ts'
import { serveDatabase, startTestServer, type TestServer } from '#testing/start-server.ts'
import { appendEvents } from './append.ts'

const first = await startTestServer({ worker: false })
const organization = await makeOrganization(first)
const { organizationId } = organization
const writers = 4
const eventsEach = 25

/** One more service at the database, with a pool and signals of its own. */
function one(): Promise<TestServer> {
  return serveDatabase(first.db, first.databaseUrl, { worker: false })
}

/** A transaction that appended and is held open; `end` commits it, or takes it back. */
async function held(db: Db, mark: string): Promise<{ end(how: 'commit' | 'rollback'): Promise<void> }> {
  const trx = await db.transaction()
  await appendEvents(trx, [recovered(organizationId, mark)])
  return { end: async (how) => void (await trx[how]()) }
}

/**
 * Follows the events behind `after` until `enough` of them came. Returns the marks, each with the id to resume from.
 */
async function follow(server: TestServer, after: string | undefined, enough: number) {
  const seen: { id: string; mark: string }[] = []
  const stop = new AbortController()
  for await (const { id, data } of server.client(organization).events.stream({ after }, { signal: stop.signal })) {
    seen.push({ id, mark: 'session' in data ? data.session : '' })
    if (seen.length >= enough) break
  }
  stop.abort()
  return seen
}

/** The cursor of the end of the log. */
async function endOfLog(): Promise<string> {
  const log = await first.client(organization).events.list({ limit: 500 })
  return log.hasMore ? expect.fail('the log is longer than a page') : log.nextCursor
}

describe('a tail that is cut and resumed, while four services write', () => {
  it('sees every event once and in the order of the log, also those of transactions that commit late', async () => {
    const others = await Promise.all(Array.from({ length: writers - 1 }, one))
    const services = [first, ...others]
    const start = await endOfLog()

    async function write(server: TestServer, writer: number): Promise<void> {
      for (let turn = 0; turn < eventsEach; turn++) {
        const open = await held(server.services.db, `${writer}:${turn}`)
        // Held open, so that concurrent appends would overtake it if anything could.
        await server.services.db.raw('select pg_sleep(random() * 0.01)')
        await open.end(turn % 5 === 4 ? 'rollback' : 'commit')
        server.services.wake.signal('events')
      }
    }
    const written = Promise.all(services.map((server, writer) => write(server, writer)))

    const committed = (writers * eventsEach * 4) / 5
    const seen: { id: string; mark: string }[] = []
    let after = start
    for (let cut = 0; seen.length < committed; cut++) {
      const part = await follow(services[cut % writers] ?? first, after, Math.min(7, committed - seen.length))
      seen.push(...part)
      after = part.at(-1)?.id ?? after
    }
    await written
    const { events } = await first.client(organization).events.list({ after: start, limit: 500 })
    expect(seen.map(({ id }) => id)).toEqual(events.map(({ id }) => id))
    expect(new Set(seen.map(({ mark }) => mark)).size).toBe(committed)
    await Promise.all(others.map((server) => server.stop()))
  }, 60_000)

  it('is not shown a later event before an earlier one that is not committed yet', async () => {
    const other = await one()
    const start = await endOfLog()
    const early = await held(first.services.db, 'early')
    const late = held(other.services.db, 'late')
    const waiting = () =>
      rows(first.db, `select from pg_locks where not granted and locktype in ('tuple', 'transactionid')`)
    await eventually(waiting, (found) => found.length > 0)
    expect((await first.client(organization).events.list({ after: start })).events).toEqual([])
    await early.end('commit')
    await (await late).end('commit')
    other.services.wake.signal('events')
    expect((await follow(first, start, 2)).map(({ mark }) => mark)).toEqual(['early', 'late'])
    await other.stop()
  })

  it('gets no hole from a transaction that is taken back', async () => {
    const other = await one()
    const start = await endOfLog()
    const early = await held(first.services.db, 'taken back')
    const late = held(other.services.db, 'stands')
    await early.end('rollback')
    await (await late).end('commit')
    other.services.wake.signal('events')
    expect((await follow(first, start, 1)).map(({ mark }) => mark)).toEqual(['stands'])
    const [gaps] = await rows<{ gaps: number }>(
      first.db,
      'select max(position) - count(*) as gaps from events where organization_id = :organizationId',
      { organizationId },
    )
    expect(gaps?.gaps).toBe(0)
    await other.stop()
  })
})
