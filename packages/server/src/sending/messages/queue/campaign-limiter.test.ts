import { describe, expect, it } from 'vitest'
import { campaignLimiter, processTime, waitForSlot } from './campaign-limiter.ts'
import { noPace, standardPace } from './pace.ts'

const at = (ms: number) => new Date(1_000_000 + ms)
const message = (id: string, containerId = 'number 1', organizationId = 'organization 1') => {
  return { id, containerId, organizationId }
}
const started = () => campaignLimiter(standardPace.campaign)

describe('slots of campaign messages', () => {
  it('are on time for those that are on time', () => {
    const limiter = started()
    for (const ms of [0, 3000, 6000, 13_000]) expect(limiter.reserve(message(`at ${ms}`), at(ms))).toEqual(at(ms))
  })

  it('are 3 seconds apart on a number and a second in an organization, whatever comes together', () => {
    const limiter = started()
    expect(limiter.reserve(message('a'), at(9000))).toEqual(at(9000))
    expect(limiter.reserve(message('b', 'number 2'), at(9001))).toEqual(at(10_000))
    expect(limiter.reserve(message('c'), at(9002))).toEqual(at(12_000))
    expect(limiter.reserve(message('d', 'number 3', 'organization 2'), at(9003))).toEqual(at(9003))
  })

  it('are kept by a message that reserves again, and lost when another has reserved the next one', () => {
    const limiter = started()
    limiter.reserve(message('a'), at(0))
    expect(limiter.reserve(message('a'), at(500))).toEqual(at(500))
    expect(limiter.reserve(message('b'), at(3000))).toEqual(at(3500))
    expect(limiter.reserve(message('a'), at(3600))).toEqual(at(6500))
  })

  it('show which are behind: those that would leave more than a second later than planned', () => {
    const limiter = started()
    for (const id of ['a', 'b', 'c']) limiter.reserve(message(id, `number ${id}`), at(0))
    expect([1900, 2000].map((ms) => limiter.isBehind(message('d', 'number 4'), at(ms)))).toEqual([true, false])
    expect(limiter.isBehind(message('e', 'number c'), at(3900))).toBe(true)
    expect(limiter.isBehind(message('e', 'number 5', 'organization 2'), at(0))).toBe(false)
  })

  it('are known also when very many were, and forgotten when they are past', () => {
    const limiter = started()
    for (let n = 0; n < 5100; n += 1) limiter.reserve(message(`m${n}`, `number ${n}`, `organization ${n}`), at(0))
    expect(limiter.reserve(message('x', 'number 7', 'organization 7'), at(2000))).toEqual(at(3000))
    expect(limiter.reserve(message('y', 'another', 'organization 8'), at(1000))).toEqual(at(1000))
  })

  it('are everybody’s at once without pace', () => {
    const limiter = campaignLimiter(noPace.campaign)
    expect([limiter.reserve(message('a'), at(0)), limiter.reserve(message('b'), at(0))]).toEqual([at(0), at(0)])
    expect(limiter.isBehind(message('c'), at(0))).toBe(false)
  })
})

/** A clock that stands at `ms`, and an alarm that goes to the time it is asked for and `lateMs` further. */
function timeAt(ms: number, lateMs = 0) {
  let now = at(ms)
  return {
    clock: { now: () => now },
    timer: {
      async waitUntil(wanted: Date) {
        if (wanted > now) now = new Date(wanted.getTime() + lateMs)
        return true
      },
      stop: () => undefined,
    },
    cancelSignal: new AbortController().signal,
    passes(byMs: number) {
      now = new Date(now.getTime() + byMs)
    },
  }
}

describe('livedTime', () => {
  it('counts what the process lived through, and neither a clock that was moved nor one that stands', () => {
    let [serviceMs, processMs] = [0, 500]
    const time = processTime({ now: () => at(serviceMs) }, () => processMs)
    const after = (service: number, process: number) => {
      serviceMs += service
      processMs += process
      return time.now()
    }
    expect(after(0, 0)).toEqual(at(0))
    expect(after(4000, 4000)).toEqual(at(4000))
    expect(after(60_000, 10)).toEqual(at(4010))
    expect(after(0, 70_000)).toEqual(at(64_000))
  })
})

const nothing = async () => null

describe('passInTurn', () => {
  it('does not let timers that are a little late slow a campaign down, however long it is', async () => {
    const limiter = started()
    for (let n = 0; n < 1000; n += 1) {
      const time = timeAt(n * 1000 + (n % 9), 3)
      await waitForSlot(limiter, message(`m${n}`, `number ${n}`), { planned: at(n * 1000), mayLeave: nothing }, time)
      expect(time.clock.now()).toEqual(at(n * 1000 + (n % 9)))
    }
  })

  it('counts from the moment at which a message really leaves after a standstill', async () => {
    const limiter = started()
    const left: Date[] = []
    for (const [n, plannedMs] of [0, 3000, 6000].entries()) {
      const time = timeAt(9000)
      await waitForSlot(limiter, message(`m${n}`), { planned: at(plannedMs), mayLeave: nothing }, time)
      left.push(time.clock.now())
    }
    expect(left).toEqual([at(9000), at(12_000), at(15_000)])
  })

  it('lets a message that the database delayed wait behind the one with the next slot, and checks again', async () => {
    const limiter = started()
    const time = timeAt(0)
    let asked = 0
    const mayLeave = async () => {
      asked += 1
      if (asked > 1) return null
      time.passes(4000)
      await waitForSlot(limiter, message('next'), { planned: at(3000), mayLeave: nothing }, timeAt(4000))
      return null
    }
    await waitForSlot(limiter, message('slow'), { planned: at(0), mayLeave }, time)
    expect([asked, time.clock.now()]).toEqual([2, at(7000)])
  })

  it('keeps the others apart from a message that the database delayed and none overtook', async () => {
    const limiter = started()
    const time = timeAt(0)
    let asked = 0
    const mayLeave = async () => {
      asked += 1
      time.passes(2000)
      return null
    }
    await waitForSlot(limiter, message('slow'), { planned: at(0), mayLeave }, time)
    expect([asked, time.clock.now()]).toEqual([1, at(2000)])
    expect(limiter.reserve(message('next'), at(3000))).toEqual(at(5000))
  })

  it('returns the reason against it, or that the number went down', async () => {
    const limiter = started()
    const refusing = async () => 'opted out'
    expect(await waitForSlot(limiter, message('a'), { planned: at(0), mayLeave: refusing }, timeAt(0))).toBe(
      'opted out',
    )
    const timer = { waitUntil: async () => false, stop: () => undefined }
    const down = { ...timeAt(1000), timer }
    expect(await waitForSlot(limiter, message('b'), { planned: at(1000), mayLeave: nothing }, down)).toBe('released')
  })
})
