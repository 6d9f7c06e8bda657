import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { deliveryQueue } from './concurrency-limiter.ts'

/** Begins `count` deliveries. The returned function resolves to the slots granted and refused so far. */
function begin(turns: ReturnType<typeof deliveryQueue>, count: number, endpointId = 'a') {
  const granted: (boolean | undefined)[] = Array(count).fill(undefined)
  for (let n = 0; n < count; n++) void turns.begin(endpointId).then((mayBegin) => (granted[n] = mayBegin))
  return async () => {
    await new Promise((resolve) => setImmediate(resolve))
    return granted
  }
}

describe('the order of claimed deliveries', () => {
  it('come as many at once as the endpoint may have, the next as one ends, in their order', async () => {
    const turns = deliveryQueue(() => 2)
    const granted = begin(turns, 4)
    expect(await granted()).toEqual([true, true, undefined, undefined])
    turns.end('a', false)
    expect(await granted()).toEqual([true, true, true, undefined])
  })

  it('grow with the bound', async () => {
    let cap = 1
    const turns = deliveryQueue(() => cap)
    const granted = begin(turns, 4)
    cap = 3
    turns.end('a', false)
    expect(await granted()).toEqual([true, true, true, true])
  })

  it('of one endpoint are not held up by another', async () => {
    const turns = deliveryQueue(() => 1)
    begin(turns, 5)
    expect(await begin(turns, 1, 'b')()).toEqual([true])
  })

  it('are refused to what waits for a receiver that turned out slow, and granted again later', async () => {
    const turns = deliveryQueue(() => 1)
    const granted = begin(turns, 3)
    turns.end('a', true)
    expect(await granted()).toEqual([true, false, false])
    expect(await begin(turns, 1)()).toEqual([true])
  })

  it('are refused to what waits behind attempts of which none ends', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const turns = deliveryQueue(() => 1)
    const [stuck, moving, alone] = [begin(turns, 2, 'stuck'), begin(turns, 3, 'moving'), begin(turns, 1, 'alone')]
    vi.advanceTimersByTime(1500)
    turns.end('moving', false)
    vi.advanceTimersByTime(600)
    expect(turns.rejectStalled(2000)).toEqual(['stuck'])
    expect(await stuck()).toEqual([true, false])
    expect(await moving()).toEqual([true, true, undefined])
    expect(await alone()).toEqual([true])
  })

  it('are refused to all that wait, and to all that come, once closed', async () => {
    const turns = deliveryQueue(() => 1)
    const granted = begin(turns, 2)
    turns.close()
    expect(await granted()).toEqual([true, false])
    expect(await begin(turns, 1)()).toEqual([false])
  })
})
