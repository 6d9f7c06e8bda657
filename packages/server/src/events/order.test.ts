import { describe, expect, it } from 'vitest'
import { recovered } from '#testing/features/events.ts'
import { makeTenant } from '#testing/features/http-edge.ts'
import { testServices } from '#testing/services.ts'
import { appendEvents } from './append.ts'
import { toEventFilter } from './filter.ts'
import { readEvents } from './log-store.ts'

const { db } = await testServices()
const writers = 4
const eventsEach = 60

describe('reading the log while it is written', () => {
  it('neither skips nor repeats an event of a transaction that commits late', async () => {
    const { organizationId } = await makeTenant(db)
    let writing = writers

    async function write(writer: number): Promise<void> {
      for (let turn = 0; turn < eventsEach; turn++) {
        await db
          .transaction(async (trx) => {
            // Transactions begin in one order and commit in another; every third one fails after it took its place.
            await trx.raw('select pg_sleep(random() * 0.004)')
            await appendEvents(trx, [recovered(organizationId, `${writer}:${turn}`)])
            await trx.raw('select pg_sleep(random() * 0.002)')
            if (turn % 3 === 2) throw new Error('rolled back')
          })
          .catch((error: Error) => expect(error.message).toBe('rolled back'))
      }
      writing -= 1
    }

    async function readAll(): Promise<[number, string][]> {
      const seen: [number, string][] = []
      for (;;) {
        const last = writing === 0
        const after = seen.at(-1)?.[0] ?? 0
        const { events } = await readEvents(db, organizationId, {
          order: 'oldest',
          after,
          filter: toEventFilter({}),
          limit: 7,
        })
        for (const { position, data } of events) seen.push([position, (data as { session: string }).session])
        if (last && events.length === 0) return seen
      }
    }

    const [seen] = await Promise.all([readAll(), ...Array.from({ length: writers }, (_, writer) => write(writer))])
    const committed = (writers * eventsEach * 2) / 3
    expect(seen.map(([position]) => position)).toEqual(Array.from({ length: committed }, (_, at) => at + 1))
    expect(new Set(seen.map(([, mark]) => mark)).size).toBe(committed)
    for (let writer = 0; writer < writers; writer++) {
      const own = seen.map(([, mark]) => mark.split(':').map(Number)).filter(([by]) => by === writer)
      expect(own.map(([, turn]) => turn)).toEqual(own.map(([, turn]) => turn).toSorted((a = 0, b = 0) => a - b))
    }
  })
})
