import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { deliveryQueue } from './delivery-queue.ts'

/** Requests `count` turns. The returned function resolves to what was granted and refused so far. */
function ask(turns: ReturnType<typeof deliveryQueue>, count: number, organizationId = 'a') {
  const answers: (boolean | undefined)[] = Array(count).fill(undefined)
  for (let n = 0; n < count; n++) void turns.begin(organizationId).then((mayBegin) => (answers[n] = mayBegin))
  return async () => {
    await new Promise((resolve) => setImmediate(resolve))
    return answers
  }
}

describe('the turns of claimed deliveries', () => {
  it('come as many at once as the organization may have, the next as one ends, in their order', async () => {
    const turns = deliveryQueue(() => 2)
    const answers = ask(turns, 4)
    expect(await answers()).toEqual([true, true, undefined, undefined])
    turns.end('a', false)
    expect(await answers()).toEqual([true, true, true, undefined])
  })

  it('grow with the bound', async () => {
    let cap = 1
    const turns = deliveryQueue(() => cap)
    const answers = ask(turns, 4)
    cap = 3
    turns.end('a', false)
    expect(await answers()).toEqual([true, true, true, true])
  })

  it('of one organization are not held up by another', async () => {
    const turns = deliveryQueue(() => 1)
    ask(turns, 5)
    expect(await ask(turns, 1, 'b')()).toEqual([true])
  })

  it('are refused to what waits for a receiver that turned out slow, and granted again later', async () => {
    const turns = deliveryQueue(() => 1)
    const answers = ask(turns, 3)
    turns.end('a', true)
    expect(await answers()).toEqual([true, false, false])
    expect(await ask(turns, 1)()).toEqual([true])
  })

  it('are refused to what waits behind attempts of which none ends', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const turns = deliveryQueue(() => 1)
    const [stuck, moving, alone] = [ask(turns, 2, 'stuck'), ask(turns, 3, 'moving'), ask(turns, 1, 'alone')]
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
    const answers = ask(turns, 2)
    turns.close()
    expect(await answers()).toEqual([true, false])
    expect(await ask(turns, 1)()).toEqual([false])
  })
})
