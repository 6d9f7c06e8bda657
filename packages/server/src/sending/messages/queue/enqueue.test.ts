import { contract } from '@msgctl/contract'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Caller } from '#api/http/handler.ts'
import { openKey, Replay } from '#api/idempotency/idempotency.ts'
import { reserveKeys } from '#api/idempotency/key-store.ts'
import { standardRules } from '#numbers/guard/guard-rules.ts'
import { rows, transaction } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'
import { openMetrics } from '#platform/metrics/metrics.ts'
import { eventually } from '#testing/eventually.ts'
import { makeOrganization } from '#testing/make.ts'
import { testServices } from '#testing/services.ts'
import { claim } from './claim.ts'
import { enqueueTexts, type NewText, storeTexts } from './enqueue.ts'
import { noPace } from './pace.ts'

const unguarded = { mode: 'off', rules: standardRules } as const
const { db, clock, wake } = await testServices()

async function makeLane({ open = true } = {}): Promise<string> {
  const containerId = newId()
  await rows(
    db,
    'insert into lanes (container_id, organization_id, open) values (:containerId, :organizationId, :open)',
    { containerId, organizationId: newId(), open },
  )
  return containerId
}

function textFor(containerId: string): NewText {
  const about = { organizationId: newId(), containerId, pinned: false, clientReference: null }
  return { ...about, type: 'alert', recipient: '12025550100', text: 'hello', priority: 'normal' }
}

interface Keyed {
  readonly organizationId?: string
  readonly key?: string | null
}

/** Queues a text as a request does, with its Idempotency-Key if it has one. Returns the id of the message. */
async function enqueue(containerId: string, { organizationId = newId(), key = null }: Keyed = {}): Promise<string> {
  const caller = { organizationId, trial: false, credential: 'account' } as Caller
  const toBody = (answer: unknown) => answer
  const text = { ...textFor(containerId), organizationId }
  const idempotency = await openKey(db, { key, caller, route: contract.alert.send, input: {}, toBody })
  const answer = await storeTexts({ caller, idempotency }, { db, clock }, [text], ([messageId]) => ({ messageId }))
  return String((answer as { messageId: string }).messageId)
}

async function queuedIn(containerId: string): Promise<string[]> {
  const found = await rows<{ id: string }>(
    db,
    `select m.id from messages m join lanes l using (container_id)
      where m.container_id = :containerId and m.status = 'queued' and l.next_claim_at <= (select service_now())
        order by m.id`,
    { containerId },
  )
  return found.map(({ id }) => id)
}

/** Organizations have their rows only where something refers to them, as an Idempotency-Key does. */
const { organizationId } = await makeOrganization({ db })

const enqueueKeyed = (containerId: string, key: string) => enqueue(containerId, { organizationId, key })

async function messagesWithKey(key: string): Promise<string[]> {
  const kept = await rows<{ id: string }>(
    db,
    `select body->>'messageId' as id from idempotency_keys where organization_id = :organizationId and key = :key`,
    { organizationId, key },
  )
  return kept.map(({ id }) => id)
}

describe('texts with an Idempotency-Key that are queued at one moment', () => {
  it('are stored with their keys and responses, together with those that have none', async () => {
    const lane = await makeLane()
    const ids = await Promise.all([enqueueKeyed(lane, 'one'), enqueue(lane), enqueueKeyed(lane, 'two')])
    expect(await queuedIn(lane)).toEqual(ids)
    expect(await messagesWithKey('one')).toEqual([ids[0]])
    expect(await messagesWithKey('two')).toEqual([ids[2]])
  })

  it('are stored once for each key, also when twins come at one moment, which get one answer', async () => {
    const lane = await makeLane()
    const keys = ['twin', 'twin', 'free', 'twin']
    const outcomes = await Promise.allSettled(keys.map((key) => enqueueKeyed(lane, key)))
    const ids = outcomes.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
    const repeats = outcomes.flatMap((one) => (one.status === 'rejected' ? one.reason : []))
    expect(await queuedIn(lane)).toEqual(ids.toSorted())
    const [first] = await messagesWithKey('twin')
    expect(ids).toContain(first)
    expect(repeats.map((one) => one instanceof Replay)).toEqual([true, true])
    expect(repeats.map(({ body }) => body)).toEqual([{ messageId: first }, { messageId: first }])
  })

  it('are refused while another process holds their key, and others are stored', async () => {
    const lane = await makeLane()
    const other = await db.transaction()
    const scope = { organizationId, credential: 'account', route: 'POST /alert/send', key: 'held' }
    const kept = { requestHash: Buffer.alloc(32), messageId: null, status: null, body: null }
    await reserveKeys(other, [{ ...scope, ...kept }])
    const [held, free] = await Promise.allSettled(['held', 'not held'].map((key) => enqueueKeyed(lane, key)))
    await other.rollback()
    expect(held).toMatchObject({ reason: { code: 'CONFLICT', details: { reason: 'idempotency_in_progress' } } })
    expect(await queuedIn(lane)).toEqual([free?.status === 'fulfilled' && free.value])
    expect(await queuedIn(lane)).toHaveLength(1)
    expect(await enqueueKeyed(lane, 'held')).toBeDefined()
  })

  it('leave the key free where the message could not be stored', async () => {
    const gone = newId()
    await expect(enqueueKeyed(gone, 'later')).rejects.toMatchObject({ code: 'NO_SESSION_CONFIGURED' })
    expect(await messagesWithKey('later')).toEqual([])
    const id = await enqueueKeyed(await makeLane(), 'later')
    expect(await messagesWithKey('later')).toEqual([id])
  })

  it('take a key again whose day is over', async () => {
    const lane = await makeLane()
    await enqueueKeyed(lane, 'old')
    await clock.advance(24 * 3600)
    const id = await enqueueKeyed(lane, 'old')
    expect(await messagesWithKey('old')).toEqual([id])
  })
})

describe('texts that are queued at one moment', () => {
  it('are in their lanes, each once and in its order, and their lanes are due', async () => {
    const lanes = [await makeLane(), await makeLane(), await makeLane()]
    const ids = await Promise.all(Array.from({ length: 30 }, (_, n) => enqueue(lanes[n % 3] ?? '')))
    for (const [place, lane] of lanes.entries()) {
      expect(await queuedIn(lane)).toEqual(ids.filter((_, n) => n % 3 === place))
    }
  })

  it('are not delayed by one whose lane is locked; that one is stored by itself', async () => {
    const [held, free] = [await makeLane(), await makeLane()]
    const holder = await db.transaction()
    await rows(holder, 'select from lanes where container_id = :held for update', { held })
    const late = enqueue(held)
    const quick = await enqueue(free)
    expect([await queuedIn(free), await queuedIn(held)]).toEqual([[quick], []])
    await holder.rollback()
    const id = await late
    expect(await queuedIn(held)).toEqual([id])
  })

  it('end the pause of dispatchers when one has high priority, and otherwise wait for it', async () => {
    const lane = await makeLane()
    const heard: string[] = []
    for (const channel of ['lanes', 'urgent'] as const) onTestFinished(wake.on(channel, () => void heard.push(channel)))
    const queue = (priority: NewText['priority']) =>
      transaction(db, (trx) => enqueueTexts(trx, clock, [{ ...textFor(lane), priority }]))
    for (const priority of ['normal', 'low', 'high'] as const) await queue(priority)
    expect(heard).toEqual(['lanes', 'lanes', 'urgent'])
  })

  it('are all found by a dispatcher that claims at the same time: its last poll of a lane misses none', async () => {
    const lanes = [await makeLane(), await makeLane(), await makeLane()]
    const wanted = 300
    const claimed: string[] = []
    let queued = 0
    async function keepQueueing(): Promise<void> {
      while (queued < wanted) {
        const lane = lanes[queued++ % 3] ?? ''
        await enqueue(lane)
      }
    }
    const queueing = Promise.all(Array.from({ length: 10 }, keepQueueing))
    await eventually(
      async () => {
        const messages = await claim({ db, clock, config: { guard: unguarded }, metrics: openMetrics() }, noPace, 1000)
        return claimed.push(...messages.flatMap(({ id, containerId }) => (lanes.includes(containerId) ? id : [])))
      },
      (count) => count >= wanted,
    )
    await queueing
    expect(new Set(claimed).size).toBe(wanted)
  })

  it('go their own way where the number went down, and are refused where it was removed', async () => {
    const [shut, gone] = [await makeLane({ open: false }), newId()]
    const [waiting, refused] = await Promise.allSettled([enqueue(shut), enqueue(gone)])
    expect(await queuedIn(shut)).toEqual([waiting?.status === 'fulfilled' && waiting.value])
    expect(refused).toMatchObject({ reason: { code: 'NO_SESSION_CONFIGURED' } })
    expect(await queuedIn(gone)).toEqual([])
  })
})
