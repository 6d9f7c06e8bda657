import { verify } from '@msgctl/webhook-verifier'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { eventually } from '#testing/eventually.ts'
import { deliveryBench, type StoredDelivery, type Subscriber } from '#testing/features/deliveries.ts'
import { idOf, type Reaction, type Receiver, startReceiver } from '#testing/features/receiver.ts'

const { services, start, subscriber, appendSamples, stored, later } = await deliveryBench()
const { db, clock } = services

/** Who receives, what the log of each attempt says, and how it ends. */
interface Farmer {
  readonly what: string
  readonly reaction: Reaction
  readonly status: number | null
  readonly error: RegExp | null
  /** Saved while it was allowed, and forbidden since. */
  readonly host?: '127.0.0.2'
}

const unreachedText = /could not be reached at a public address, or ended the connection without a response/
const lateText = /did not respond within \d+ seconds/
const elsewhere = { location: 'http://127.0.0.1:9999/other' }

const responding: readonly Farmer[] = [
  { what: 'responds with 200', reaction: 200, status: 200, error: null },
  { what: 'responds with 204', reaction: 204, status: 204, error: null },
  { what: 'responds with 500', reaction: 500, status: 500, error: /responded with 500 instead of a 2xx/ },
  { what: 'responds with 404', reaction: 404, status: 404, error: /responded with 404 instead of a 2xx/ },
  { what: 'resets the connection', reaction: 'reset', status: null, error: unreachedText },
  { what: 'redirects', reaction: { status: 302, headers: elsewhere }, status: 302, error: /redirect \(302\)/ },
  { what: 'became private after saving', reaction: 200, host: '127.0.0.2', status: null, error: unreachedText },
]
const late: readonly Farmer[] = [
  { what: 'responds with 200 too late', reaction: { status: 200, afterMs: 10_000 }, status: null, error: lateText },
  { what: 'never responds', reaction: 'silence', status: null, error: lateText },
]
/** Apart, so that those who respond have time also on a busy machine, and no test waits for those who do not. */
const farms = [
  { who: 'receivers that respond', farm: responding, deadlineMs: 30_000 },
  { who: 'receivers that are late', farm: late, deadlineMs: 100 },
]

type Planted = Farmer & { readonly receiver: Receiver; readonly subscriber: Subscriber }

async function plant(farmer: Farmer): Promise<Planted> {
  const receiver = await startReceiver(() => farmer.reaction, farmer.host)
  const permissive = { ...services, config: { ...services.config, allowPrivateTargets: ['127.0.0.0/8'] } }
  return { ...farmer, receiver, subscriber: await subscriber(receiver.url, permissive) }
}

async function deliveryOf({ subscriber: { organizationId } }: Planted): Promise<StoredDelivery> {
  const [delivery = expect.fail('there is no delivery')] = await stored(organizationId)
  return delivery
}

/** Waits until everybody's delivery has had so many attempts, or is over. */
async function attemptsOf(planted: readonly Planted[], count: number): Promise<StoredDelivery[]> {
  return eventually(
    () => Promise.all(planted.map(deliveryOf)),
    (all) => all.every((one) => one.leaseToken === null && (one.status !== 'pending' || one.attempts === count)),
  )
}

describe.each(farms)('a farm of $who', ({ farm, deadlineMs }) => {
  it('sees five attempts, 5, 10, 20 and 40 s apart, of each event that it does not take, and no more', async () => {
    const planted = await Promise.all(farm.map(plant))
    for (const { subscriber } of planted) await appendSamples(subscriber.organizationId)
    const failing = planted.filter(({ error }) => error !== null)
    start({ deadlineMs })
    let machineTime = Date.now()
    onTestFinished(() => void vi.restoreAllMocks())

    for (const [at, waitSeconds] of [5, 10, 20, 40].entries()) {
      await attemptsOf(planted, at + 1)
      for (const one of await Promise.all(failing.map(deliveryOf))) {
        const waitedMs = one.nextAttemptAt.getTime() - clock.now().getTime()
        expect(one).toMatchObject({ status: 'pending', attempts: at + 1 })
        expect(waitedMs).toBeGreaterThanOrEqual(waitSeconds * 900)
        expect(waitedMs).toBeLessThanOrEqual(waitSeconds * 1100)
      }
      machineTime += waitSeconds * 1100 + 1000
      vi.spyOn(Date, 'now').mockReturnValue(machineTime)
      await later(waitSeconds * 1.1)
    }
    await attemptsOf(planted, 5)
    await later(86_400)

    for (const { what, status, error, receiver, subscriber } of planted) {
      const [delivery = expect.fail()] = await stored(subscriber.organizationId)
      const log = delivery.attemptLog
      const made = error ? 5 : 1
      expect(delivery, what).toMatchObject({ status: error ? 'dropped' : 'delivered', attempts: made })
      expect(log.map((entry) => entry.status)).toEqual(Array(made).fill(status))
      for (const entry of log) expect(entry.error ?? '', what).toMatch(error ?? /^$/)
      const arrived = unreached(what) ? 0 : made
      expect(receiver.received, what).toHaveLength(arrived)
      expect(new Set(receiver.received.map(idOf)).size).toBe(Math.min(1, arrived))
      expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(Math.min(1, arrived))
      expect(new Set(receiver.received.map(signedAt)).size, what).toBe(arrived)
    }
  }, 60_000)
})

describe('a receiver', () => {
  it('can verify the last attempt, whose time is fresh, with the secret of the first', async () => {
    const [planted] = await Promise.all([plant({ what: 'fails once', reaction: 503, status: 503, error: /503/ })])
    await appendSamples(planted.subscriber.organizationId)
    start()
    await attemptsOf([planted], 1)
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 600_000)
    onTestFinished(() => void vi.restoreAllMocks())
    await later(6)
    await attemptsOf([planted], 2)
    const [first = expect.fail(), second = expect.fail()] = planted.receiver.received
    const { secret } = planted.subscriber
    await expect(verify(first.body, first.headers, secret)).rejects.toMatchObject({ reason: 'timestamp_too_old' })
    await expect(verify(second.body, second.headers, secret)).resolves.toBeDefined()
  })
})

function unreached(what: string): boolean {
  return what.startsWith('became private')
}

function signedAt({ headers }: Receiver['received'][number]): string {
  return String(/t=(\d+)/.exec(String(headers['x-service-signature']))?.[1])
}

describe('one dead organization with 10,000 events', () => {
  it('delays no event of another until its attempts time out, however often', async () => {
    const dead = await startReceiver(() => 'silence')
    const alive = await startReceiver()
    const [blocked, other] = [await subscriber(dead.url), await subscriber(alive.url)]
    await appendSamples(blocked.organizationId, 10_000)
    await rows(db, 'analyze webhook_deliveries, events')
    const deadlineMs = 3000
    start({ deadlineMs })
    await dead.arrived(2)
    const startedMs = performance.now()
    const tookMs: number[] = []
    for (let event = 1; event <= 5; event++) {
      const began = performance.now()
      await appendSamples(other.organizationId)
      await alive.arrived(event)
      tookMs.push(performance.now() - began)
    }
    // The quickest one: a machine that is busy says nothing about the queue, in which each would wait for a deadline.
    expect(Math.min(...tookMs)).toBeLessThan(1000)
    const over = Math.floor((performance.now() - startedMs) / deadlineMs)
    expect(dead.received.length).toBeLessThan(10 + 2 * over)
    dead.hangUp()
  })
})
