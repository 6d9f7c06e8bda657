import { describe, expect, it } from 'vitest'
import { reserveKeys } from '#api/idempotency/key-store.ts'
import { standardRules } from '#numbers/guard/guard-rules.ts'
import { rows } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'
import { openMetrics } from '#platform/metrics/metrics.ts'
import { eventually } from '#testing/eventually.ts'
import { makeOrganization } from '#testing/make.ts'
import { testServices } from '#testing/services.ts'
import { claim } from './claim.ts'
import { enqueueBatched, enqueueTexts, type NewText } from './enqueue.ts'
import { noPace } from './pace.ts'

const unguarded = { mode: 'off', rules: standardRules } as const
const { db, clock } = await testServices()

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

const enqueue = (containerId: string) => enqueueBatched(db, clock, textFor(containerId), () => null)

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

const keyOf = (key: string) => ({ organizationId, credential: 'account', route: 'alert.send', key })

/** Queues a text with the Idempotency-Key of its request, and with what the request is answered. */
function enqueueKeyed(containerId: string, key: string): Promise<string | undefined> {
  return enqueueBatched(db, clock, { ...textFor(containerId), organizationId }, (id) => ({
    ...keyOf(key),
    requestHash: Buffer.alloc(32),
    messageId: null,
    status: 201,
    body: { messageId: id },
  }))
}

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

  it('are stored once for each key, also when twins come at one moment or in two processes', async () => {
    const lane = await makeLane()
    const other = await db.transaction()
    await reserveKeys(other, [
      { ...keyOf('held'), requestHash: Buffer.alloc(32), messageId: null, status: null, body: null },
    ])
    const keys = ['twin', 'twin', 'held', 'free', 'twin']
    const ids = await Promise.all(keys.map((key) => enqueueKeyed(lane, key)))
    await other.rollback()
    const stored = ids.filter((id) => id !== undefined)
    expect([stored.length, ids[2]]).toEqual([2, undefined])
    expect(await queuedIn(lane)).toEqual(stored.toSorted())
    expect(await messagesWithKey('twin')).toEqual([ids[0] ?? ids[1] ?? ids[4]])
    expect(await enqueueKeyed(lane, 'held')).toBeDefined()
  })

  it('leave the key free where the message could not be stored', async () => {
    const shut = await makeLane({ open: false })
    expect(await enqueueKeyed(shut, 'later')).toBeUndefined()
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
    const [late, quick] = await Promise.all([enqueue(held), enqueue(free)])
    expect([late, await queuedIn(free)]).toEqual([undefined, [quick]])
    await holder.rollback()
    expect(await queuedIn(held)).toEqual([])
  })

  it('are all found by a dispatcher that claims at the same time: its last poll of a lane misses none', async () => {
    const lanes = [await makeLane(), await makeLane(), await makeLane()]
    const wanted = 300
    const claimed: string[] = []
    let queued = 0
    async function keepQueueing(): Promise<void> {
      while (queued < wanted) {
        const lane = lanes[queued++ % 3] ?? ''
        if ((await enqueue(lane)) === undefined)
          await db.transaction((trx) => enqueueTexts(trx, clock, [textFor(lane)]))
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

  it('go their own way where the number went down or was removed, and nothing is stored', async () => {
    const [shut, gone] = [await makeLane({ open: false }), newId()]
    expect(await Promise.all([enqueue(shut), enqueue(gone)])).toEqual([undefined, undefined])
    const [stored] = await rows<{ count: number }>(
      db,
      'select count(*) as count from messages where container_id = any(:lanes::uuid[])',
      { lanes: [shut, gone] },
    )
    expect(stored?.count).toBe(0)
  })
})
