import { describe, expect, it } from 'vitest'
import { memoryStore, type RunOutcome, runOnce } from './run-once.ts'

const event = { deliveryId: 'one', replayed: false }
let signatures = 0

/** Returns a receiver whose runs end when the test says so: deliveries certainly arrive during a run. */
function slowReceiver() {
  const running = new Map<string, Promise<RunOutcome>>()
  const store = memoryStore()
  const ends: { resolve: () => void; reject: (error: Error) => void }[] = []
  const run = () => new Promise<void>((resolve, reject) => ends.push({ resolve, reject }))
  const deliver = (facts: { deliveryId: string; replayed: boolean; signature?: string } = event) =>
    runOnce({ signature: `mac ${signatures++}`, ...facts }, run, running, memoryStore(), store)
  /** Lets every step that waits for nothing outside happen. */
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return { deliver, ends, running, settle, store }
}

describe('runOnce', () => {
  it('resolves concurrent deliveries only when the one run has ended', async () => {
    const { deliver, ends, running, settle } = slowReceiver()
    const settled: RunOutcome[] = []
    const deliveries = [deliver(), deliver(), deliver()].map((outcome) => outcome.then((each) => settled.push(each)))
    await settle()
    expect([ends.length, settled]).toEqual([1, []])
    ends[0]?.resolve()
    await Promise.all(deliveries)
    expect(settled.sort()).toEqual(['duplicate', 'duplicate', 'handled'])
    expect(running.size).toBe(0)
  })

  it('rejects all of them with the one run, records nothing, and runs the next delivery', async () => {
    const { deliver, ends, running, settle, store } = slowReceiver()
    const deliveries = Promise.allSettled([deliver(), deliver()])
    await settle()
    ends[0]?.reject(new Error('the database is away'))
    expect((await deliveries).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect([store.has('one'), running.size]).toEqual([false, 0])
    const next = deliver()
    await settle()
    ends[1]?.resolve()
    expect([await next, store.has('one')]).toEqual(['handled', true])
  })

  it('separates a replay from a first delivery that is still running', async () => {
    const { deliver, ends, settle } = slowReceiver()
    const both = Promise.all([deliver(), deliver({ ...event, replayed: true })])
    await settle()
    expect(ends.length).toBe(2)
    for (const end of ends) end.resolve()
    expect(await both).toEqual(['handled', 'handled'])
  })
})

describe('a signature', () => {
  it('shares the run of its concurrent copies, whatever id they have', async () => {
    const { deliver, ends, settle, running } = slowReceiver()
    const copies = ['one', 'two', 'three'].map((deliveryId) =>
      deliver({ deliveryId, replayed: false, signature: 'mac' }),
    )
    await settle()
    expect(ends.length).toBe(1)
    ends[0]?.resolve()
    expect((await Promise.all(copies)).sort()).toEqual(['duplicate', 'duplicate', 'handled'])
    expect(running.size).toBe(0)
  })

  it('does not wait for itself when the delivery has it as its id', async () => {
    const { deliver, ends, settle } = slowReceiver()
    const delivery = deliver({ deliveryId: 'mac', replayed: false, signature: 'mac' })
    await settle()
    ends[0]?.resolve()
    expect(await delivery).toBe('handled')
  })
})

describe('memoryStore', () => {
  it('drops the oldest beyond its bound', () => {
    const store = memoryStore(2)
    for (const id of ['a', 'b', 'b', 'c']) store.add(id)
    expect(['a', 'b', 'c'].map((id) => store.has(id))).toEqual([false, true, true])
  })
})
