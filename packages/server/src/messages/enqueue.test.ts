import { v7 as newId } from 'uuid'
import { describe, expect, it } from 'vitest'
import { rows } from '../db/db.ts'
import { eventually } from '../test/eventually.ts'
import { testServices } from '../test/services.ts'
import { claim } from './claim.ts'
import { enqueueTexts, enqueueTogether, type NewText } from './enqueue.ts'
import { noPace } from './pace.ts'

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

const enqueue = (containerId: string) => enqueueTogether(db, clock, textFor(containerId))

async function queuedIn(containerId: string): Promise<string[]> {
  const found = await rows<{ id: string }>(
    db,
    `select m.id from messages m join lanes l using (container_id)
      where m.container_id = :containerId and m.status = 'queued' and l.next_at <= (select service_now()) order by m.id`,
    { containerId },
  )
  return found.map(({ id }) => id)
}

describe('texts that are queued at one moment', () => {
  it('stand in their lanes, each once and in its order, and their lanes are to be looked at', async () => {
    const lanes = [await makeLane(), await makeLane(), await makeLane()]
    const ids = await Promise.all(Array.from({ length: 30 }, (_, n) => enqueue(lanes[n % 3] ?? '')))
    for (const [place, lane] of lanes.entries()) {
      expect(await queuedIn(lane)).toEqual(ids.filter((_, n) => n % 3 === place))
    }
  })

  it('are not held up by one whose lane somebody holds; that one goes its own way', async () => {
    const [held, free] = [await makeLane(), await makeLane()]
    const holder = await db.transaction()
    await rows(holder, 'select from lanes where container_id = :held for update', { held })
    const [late, quick] = await Promise.all([enqueue(held), enqueue(free)])
    expect([late, await queuedIn(free)]).toEqual([undefined, [quick]])
    await holder.rollback()
    expect(await queuedIn(held)).toEqual([])
  })

  it('are all found by a dispatcher that claims at the same time: its last look at a lane strands none', async () => {
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
        const messages = await claim({ db, clock }, noPace, 1000)
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
