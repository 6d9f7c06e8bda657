import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'
import { type LaneText, ModelLane, seededRandom } from '#testing/features/lane.ts'
import { testServices } from '#testing/services.ts'
import { claim } from './claim.ts'
import { insertTexts, type QueueRow } from './enqueue-store.ts'
import { noPace, standardPace } from './pace.ts'

// Service time stands still between the steps.
const services = await testServices()
const organizationId = newId()
const steps = 200

async function openLane(): Promise<string> {
  const containerId = newId()
  await rows(
    services.db,
    'insert into lanes (container_id, organization_id, open) values (:containerId, :organizationId, true)',
    { containerId, organizationId },
  )
  return containerId
}

function rowOf(containerId: string, text: LaneText): QueueRow {
  return {
    id: text.id,
    organizationId,
    containerId,
    type: 'alert',
    recipient: '12025550100',
    content: 'x'.repeat(text.length),
    priority: text.priority,
    pinned: false,
    clientReference: null,
    networkClientId: text.id,
    dueAt: new Date(text.dueMs),
    queueAt: new Date(text.queueMs),
  }
}

/** Queues these messages, as in a transaction of their own. */
function store(queued: readonly QueueRow[]) {
  const alone = queued.map((row) => ({ row, claim: null }))
  return insertTexts(services.db, alone, true)
}

describe('claims of lanes in the database', () => {
  it('take what the model lane takes, in its order and times, over hundreds of claims by two workers', async () => {
    const random = seededRandom(5)
    const lanes = new Map<string, ModelLane>()
    for (let n = 0; n < 3; n += 1) lanes.set(await openLane(), new ModelLane(standardPace))
    const priorities = ['high', 'normal', 'normal', 'low'] as const
    let claimed = 0
    for (let step = 0; step < steps; step += 1) {
      const now = await services.clock.advance(random() < 0.05 ? random() * 90 : random() * 2)
      const nowMs = now.getTime()
      for (const [containerId, lane] of lanes) {
        const texts = Array.from({ length: Math.floor(random() * 4) }, (): LaneText => {
          const priority = priorities[Math.floor(random() * priorities.length)] ?? 'normal'
          const queueMs = priority === 'low' ? nowMs + 120_000 : nowMs
          return { id: newId(), priority, length: 1 + Math.floor(random() * 300), dueMs: nowMs, queueMs }
        })
        if (texts.length === 0) continue
        await store(texts.map((text) => rowOf(containerId, text)))
        for (const text of texts) lane.add(text)
      }
      const scheduled = (await Promise.all([1, 2].map(() => claim(services, standardPace, 10_000)))).flat()
      for (const [containerId, lane] of lanes) {
        const facts = scheduled
          .filter((one) => one.containerId === containerId)
          .map(({ id, typingAt, sendAt }) => ({ id, typingAt, sendAt }))
        const expected = lane.claim(now).map(({ id, typingAt, sendAt }) => ({ id, typingAt, sendAt }))
        expect(facts).toEqual(expected)
        claimed += facts.length
      }
    }
    expect(claimed).toBeGreaterThan(500)
  })

  it('take from every lane that was locked, in equal shares, when more waits than one claim takes', async () => {
    const nowMs = (await services.clock.advance(60)).getTime()
    await rows(services.db, 'update lanes set open = false')
    const lanes = await Promise.all(Array.from({ length: 20 }, openLane))
    const texts = lanes.flatMap((containerId) =>
      Array.from({ length: 60 }, () =>
        rowOf(containerId, { id: newId(), priority: 'normal', length: 5, dueMs: nowMs, queueMs: nowMs }),
      ),
    )
    await store(texts)
    const scheduled = await claim(services, noPace, 1000)
    const taken = lanes.map((lane) => scheduled.filter(({ containerId }) => containerId === lane).length)
    expect(taken).toEqual(lanes.map(() => 50))
  })
})
