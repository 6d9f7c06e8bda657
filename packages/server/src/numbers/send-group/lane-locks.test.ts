import { describe, expect, it } from 'vitest'
import { holdNumbers } from '#numbers/connection/hold-store.ts'
import { applyState, moveNumber } from '#numbers/connection/state.ts'
import { type Db, rows, transaction } from '#platform/db/db.ts'
import { enqueueTexts } from '#sending/messages/queue/enqueue.ts'
import { eventually } from '#testing/eventually.ts'
import { makeGroup } from '#testing/features/send-group.ts'
import { startTestServer } from '#testing/start-server.ts'

// lane-model.test.ts tries every order of these locks. Here Postgres does, in the order that went wrong: it would end
// one of two transactions that wait for each other. Without a worker only the test locks lanes.
const server = await startTestServer({ worker: false })

/** A send group whose lanes are in the order of their locks. */
async function makeSortedGroup(options?: Parameters<typeof makeGroup>[1]) {
  const group = await makeGroup(server, options)
  const { organizationId } = group.organization
  const [first, second, third] = group.ids.toSorted() as [string, string, string]
  const queue = (trx: Db, containerId: string) =>
    enqueueTexts(trx, server.services.clock, [
      {
        organizationId,
        containerId,
        pinned: false,
        type: 'alert',
        recipient: '12025550121',
        text: 'late',
        priority: 'normal',
        clientReference: null,
      },
    ])
  const down = (containerId: string) =>
    ({ organizationId, containerId, state: { status: 'FAILED', me: null }, source: 'network' }) as const
  return { ...group, organizationId, lanes: { first, second, third }, queue, down }
}

/** Locks a lane, begins each of these works once the one before waits for a lock, and then lets them all end. */
async function whileLocked(lane: string, change: string, works: readonly (() => Promise<unknown>)[]): Promise<void> {
  const holder = await server.db.transaction()
  await rows(holder, `update lanes set ${change} where container_id = :lane`, { lane })
  const running: Promise<unknown>[] = []
  for (const work of works) {
    running.push(work())
    await eventually(countWaiting, (count) => count === running.length)
  }
  await holder.commit()
  await Promise.all(running)
}

async function countWaiting(): Promise<number> {
  const waiting = await rows(
    server.db,
    `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return waiting.length
}

const unchanged = 'open = open'

describe('transactions that lock lanes of one organization', () => {
  it('do not wait for each other as they queue texts on two lanes that are closed', async () => {
    const { lanes, queue, goesDown, queues } = await makeSortedGroup()
    for (const lane of [lanes.second, lanes.third]) await goesDown(lane)
    await whileLocked(lanes.first, unchanged, [
      () => server.db.transaction((trx) => queue(trx, lanes.second)),
      () => server.db.transaction((trx) => queue(trx, lanes.third)),
    ])
    expect(await queues()).toEqual({ [lanes.first]: ['late', 'late'] })
  })

  it('begin again where a lane was closed while they waited for it alone, and lock all then', async () => {
    const { lanes, queue, queues } = await makeSortedGroup()
    let attempts = 0
    const queueAlone = async (trx: Db) => {
      attempts += 1
      await queue(trx, lanes.second)
    }
    await whileLocked(lanes.second, 'open = false', [() => transaction(server.db, queueAlone)])
    expect(await queues()).toEqual({ [lanes.first]: ['late'] })
    expect(attempts).toBe(2)
  })

  it('begin again where the group was turned on while a number of it went down', async () => {
    const { ids, owner, lanes, queue, down, queues } = await makeSortedGroup({ enabled: false })
    await transaction(server.db, (trx) => queue(trx, lanes.first))
    await whileLocked(lanes.first, unchanged, [
      () => owner.numbers.setSendGroup({ enabled: true }),
      () => applyState(server.services, down(lanes.first)),
    ])
    const heir = ids.find((id) => id !== lanes.first)
    expect(await queues()).toEqual({ [String(heir)]: ['late'] })
  })

  it('do not wait for each other as one holds all queues and another closes the lane of a number', async () => {
    const { organizationId, lanes, down } = await makeSortedGroup()
    await whileLocked(lanes.third, unchanged, [
      () => server.db.transaction((trx) => holdNumbers(trx, organizationId)),
      () => server.db.transaction((trx) => moveNumber(trx, down(lanes.first))),
    ])
    const open = await rows(server.db, 'select from lanes where organization_id = :organizationId and open', {
      organizationId,
    })
    expect(open).toEqual([])
  })
})
