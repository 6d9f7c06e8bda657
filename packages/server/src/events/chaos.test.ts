import { MessagingClient } from '@msgctl/client'
import type { EventKind, LoggedEvent } from '@msgctl/contract'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { connect, type Db, rows } from '../db/db.ts'
import { newSecretsKeys } from '../secrets.ts'
import { startCrashingPostgres } from '../test/crashing-postgres.ts'
import { makeNumber, makeOrganization } from '../test/make.ts'
import { startServiceProcess } from '../test/service-process.ts'
import { sim } from '../test/sim.ts'
import { serveDatabase } from '../test/start-server.ts'
import { buildServer } from '../test/worker-process.ts'
import { idOf, startReceiver } from '../webhook/test-receiver.ts'

/** `npm run chaos` runs the full size. Half of the messages go out, half come in. */
const size =
  process.env.CHAOS === 'full' ? { messages: 2000, rounds: 6, workers: 2 } : { messages: 120, rounds: 1, workers: 1 }
const env = {
  NODE_ENV: 'test',
  SECRETS_KEYS: newSecretsKeys(),
  SIM_CONTROL: '1',
  SIM_SPEED: '0',
  PACING: 'off',
  CHANGE_LIMIT: 'off',
  ALLOW_PRIVATE_TARGETS: '127.0.0.1/32',
}
const pauseMs = 50

/** Does `work` until it succeeds: while a part is down it fails. The limit of the test ends what never comes back. */
async function insistently<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch {
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
}

/** Everything that runs, and what it is told from outside. */
async function ground() {
  const postgres = await startCrashingPostgres()
  onTestFinished(() => postgres.remove())
  const db = connect(postgres.url, { poolMax: 3 })
  onTestFinished(() => db.destroy())
  const processEnv = { ...env, DATABASE_URL: postgres.url }
  const parts = await Promise.all([
    startServiceProcess('api', processEnv),
    ...Array.from({ length: size.workers }, () => startServiceProcess('worker', processEnv)),
  ])
  onTestFinished(async () => void (await Promise.all(parts.map((part) => part.end()))))
  const setup = await serveDatabase(db, postgres.url, { env, worker: false })
  const organization = await makeOrganization(setup)
  const numbers: string[] = []
  for (let n = 0; n < 5; n++) numbers.push(await makeNumber({ ...setup, worker: true }, organization))
  await setup.stop()
  const [api = expect.fail()] = parts
  const client = new MessagingClient({ baseUrl: `${api.address}/api/v1`, apiKey: organization.apiKey, maxRetries: 0 })
  return { postgres, db, parts, api, client, numbers, ...organization }
}

type Ground = Awaited<ReturnType<typeof ground>>

/** Sends `count` texts in one batch, taken exactly once however often it is asked for. */
async function send({ client, numbers }: Ground, turn: number, count: number): Promise<void> {
  const recipients = Array.from({ length: count }, (_, n) => `+1202556${String(turn * count + n).padStart(4, '0')}`)
  const containerId = numbers[turn % numbers.length] ?? ''
  const key = { idempotencyKey: `turn:${turn}` }
  await insistently(() => client.alert.batch({ recipients, message: `turn ${turn}`, containerId }, key))
}

/** Lets people write `count` times; what is not answered is written once more, so there may be a few more. */
async function write({ api, numbers }: Ground, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const from = `+1202557${String(n).padStart(4, '0')}`
    const body = { containerId: numbers[n % numbers.length], from, text: `hello ${n}` }
    await insistently(() => sim(api, 'POST inbound', body))
  }
}

/** Crashes every part in its turn, Postgres last, each while its share of the messages is on its way. */
async function disturb(all: Ground): Promise<void> {
  const crashes = [...all.parts.map((part) => () => part.crash()), () => all.postgres.restart()]
  const turns = size.rounds * crashes.length
  const share = Math.ceil(size.messages / 2 / turns)
  for (let turn = 0; turn < turns; turn++) {
    const work = Promise.all([send(all, turn, share), write(all, share)])
    await new Promise((resolve) => setTimeout(resolve, pauseMs * (1 + (turn % 4))))
    await crashes[turn % crashes.length]?.()
    await work
  }
}

/** Follows the events behind `after` into `tail`. Whenever the stream breaks it goes on behind the last event seen. */
async function follow({ client }: Ground, after: string, tail: LoggedEvent[], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const place = tail.at(-1)?.id ?? after
      for await (const event of client.events.stream({ after: place }, { signal })) tail.push(event)
    } catch {
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
}

interface Unsettled {
  readonly messages: number
  readonly untold: number
  readonly deliveries: number
}

/** Lets service time pass, so that leases end and retries come due, until nothing is on its way any more. */
async function settle({ db, api }: Ground): Promise<void> {
  for (;;) {
    await insistently(() => sim(api, 'POST clock/advance', { seconds: 20 }))
    for (let look = 0; look < 20; look++) {
      const [left] = await insistently(() =>
        rows<Unsettled>(
          db,
          `select (select count(*) from messages where status in ('queued', 'sending')) as messages,
                  (select count(*) from sim_events) as untold,
                  (select count(*) from webhook_deliveries where status = 'pending') as deliveries`,
        ),
      )
      if (left && left.messages + left.untold + left.deliveries === 0) return
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
}

/** How often each kind is told of messages whose row says that it must be otherwise. */
async function mistold(db: Db): Promise<object[]> {
  return rows(
    db,
    `with told as (
       select m.id, m.status,
              count(e.*) filter (where e.event = 'message.delivered') as delivered,
              count(e.*) filter (where e.event = 'message.read' and (e.data ->> 'timestamp')::timestamptz = m.read_at) as read,
              count(e.*) filter (where e.event = 'message.failed') as failed, count(e.*) as events
         from messages m left join events e on e.message_id = m.id group by m.id
     )
     select * from told
      where read <> (status = 'read')::int or failed <> (status = 'failed')::int
         or delivered > 1 or (status = 'delivered' and delivered <> 1) or events <> delivered + read + failed`,
  )
}

/** People's messages that were not told, or told more than once. */
async function misheard(db: Db): Promise<object[]> {
  return rows(
    db,
    `select s.network_id, count(e.*) as events from sim_messages s
       left join events e on e.event = 'message.inbound' and e.data ->> 'gatewayMessageId' = s.network_id
      where s.direction = 'in' group by 1 having count(e.*) <> 1`,
  )
}

async function idsOfLog(db: Db, organizationId: string): Promise<string[]> {
  const log = await rows<{ id: string }>(
    db,
    'select id from events where organization_id = :organizationId order by position',
    { organizationId },
  )
  return log.map(({ id }) => id)
}

describe(`${size.messages} messages out and in, while api, workers and Postgres crash ${size.rounds} times each`, () => {
  beforeAll(buildServer, 120_000)

  it('change state with one event each, which is delivered, and which a resumed stream sees once', async () => {
    const began = performance.now()
    const all = await ground()
    const { db, client, organizationId } = all
    const receiver = await startReceiver()
    await client.webhook.set({ webhookUrl: receiver.url })
    const tail: LoggedEvent[] = []
    const stop = new AbortController()
    const start = (await client.events.list({ limit: 500 })).nextCursor
    const tailed = follow(all, start, tail, stop.signal)
    const before = await idsOfLog(db, organizationId)

    await disturb(all)
    await settle(all)

    const log = (await idsOfLog(db, organizationId)).slice(before.length)
    await expect.poll(() => tail.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(log.length)
    stop.abort()
    await tailed
    expect(await mistold(db)).toEqual([])
    expect(await misheard(db)).toEqual([])
    const [sent] = await rows<{ total: number; people: number }>(
      db,
      'select count(*) as total, count(distinct recipient) as people from messages',
    )
    expect(sent?.total).toBeGreaterThanOrEqual(size.messages / 2)
    expect(sent?.people).toBe(sent?.total)
    expect(tail.map(({ id }) => id)).toEqual(log)
    const received = new Set(receiver.received.map(idOf))
    expect(log.filter((id) => !received.has(id))).toEqual([])
    const kinds = new Set(tail.map(({ event }) => event))
    for (const kind of ['message.delivered', 'message.read', 'message.inbound'] satisfies EventKind[])
      expect(kinds).toContain(kind)
    if (process.env.CHAOS === 'full') {
      const seconds = Math.round((performance.now() - began) / 1000)
      console.log({ seconds, events: log.length, posted: receiver.received.length })
    }
  }, 600_000)
})
