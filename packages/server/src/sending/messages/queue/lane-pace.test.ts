import { describe, expect, it } from 'vitest'
import { type LaneText, ModelLane, seededRandom } from '#testing/features/lane.ts'
import { standardPace } from './pace.ts'

const minutes = 10_000
const lowPenaltyMs = 120_000
const leaseMs = 60_000
const workers = 3

/** Texts a minute, in phases of ten minutes: idle, busy, too many, far too many, and none to catch up. */
const rates = [5, 40, 55, 70, 0, 20, 150, 0, 0, 58]
const priorities = ['high', 'normal', 'normal', 'normal', 'low'] as const

interface Arrival {
  readonly text: LaneText
  readonly ms: number
  /** Paced texts that had come and not left when it came. */
  readonly before: number
  /** How often a worker died that held it. */
  deaths: number
  sentMs: number | null
}

/**
 * Ten thousand minutes of one lane: texts of every priority come at random, several workers poll in no order, and now
 * and then one of them dies with what it holds, which is queued again when its lease ends.
 */
function simulate(seed: number): Arrival[] {
  const random = seededRandom(seed)
  const lane = new ModelLane(standardPace)
  const arrivals = new Map<string, Arrival>()
  const held: { arrival: Arrival; sendMs: number; worker: number }[] = []
  const back: { text: LaneText; ms: number }[] = []
  let present = 0
  let nextArrivalMs = 0

  function arrive(ms: number): void {
    const priority = priorities[Math.floor(random() * priorities.length)] ?? 'normal'
    const id = String(arrivals.size).padStart(8, '0')
    const queueMs = priority === 'low' ? ms + lowPenaltyMs : ms
    const text = { id, priority, length: 1 + Math.floor(random() * 300), dueMs: ms, queueMs }
    arrivals.set(id, { text, ms, before: present, deaths: 0, sentMs: null })
    if (priority !== 'high') present += 1
    lane.add(text)
  }

  function send(untilMs: number): void {
    held.sort((a, b) => a.sendMs - b.sendMs)
    while (held[0] && held[0].sendMs <= untilMs) {
      const { arrival, sendMs } = held.shift() as (typeof held)[0]
      arrival.sentMs = sendMs
      if (arrival.text.priority !== 'high') present -= 1
    }
  }

  function die(worker: number, ms: number): void {
    for (const { arrival, ...one } of held.splice(0)) {
      if (one.worker !== worker) held.push({ arrival, ...one })
      else {
        arrival.deaths += 1
        back.push({ text: { ...arrival.text, dueMs: ms + leaseMs }, ms: ms + leaseMs })
      }
    }
  }

  for (let ms = 0; ms < minutes * 60_000; ms += 100 + random() * 900) {
    const rate = rates[Math.floor(ms / 600_000) % rates.length] ?? 0
    for (nextArrivalMs = Math.max(nextArrivalMs, ms - 1000); rate > 0 && nextArrivalMs <= ms; ) {
      arrive(nextArrivalMs)
      nextArrivalMs += -Math.log(1 - random()) * (60_000 / rate)
    }
    while (back[0] && back[0].ms <= ms) lane.add((back.shift() as (typeof back)[0]).text)
    send(ms)
    const worker = Math.floor(random() * workers)
    if (random() < 0.0005) die(worker, ms)
    for (const { text, sendAt } of lane.claim(new Date(Math.round(ms)))) {
      const arrival = arrivals.get(text.id) as Arrival
      held.push({ arrival, sendMs: sendAt.getTime(), worker })
    }
  }
  send(Number.POSITIVE_INFINITY)
  return [...arrivals.values()]
}

describe('a lane over ten thousand minutes of several workers', () => {
  const arrivals = simulate(11)
  const sent = arrivals.filter((arrival) => arrival.sentMs !== null) as (Arrival & { sentMs: number })[]
  const paced = sent.filter(({ text }) => text.priority !== 'high').sort((a, b) => a.sentMs - b.sentMs)

  it('was busy, saturated and hit by deaths', () => {
    expect(arrivals.length).toBeGreaterThan(300_000)
    expect(arrivals.length - sent.length).toBeLessThan(2000)
    expect(Math.max(...arrivals.slice(0, 50_000).map(({ before }) => before))).toBeGreaterThan(300)
    expect(arrivals.filter(({ deaths }) => deaths > 0).length).toBeGreaterThan(500)
    for (const priority of ['high', 'normal', 'low']) {
      expect(sent.filter(({ text }) => text.priority === priority).length).toBeGreaterThan(50_000)
    }
  })

  it('lets never more than 60 normal and low texts leave in any minute, each a second apart', () => {
    const tooClose = paced.filter(({ sentMs }, n) => n > 0 && sentMs - (paced[n - 1]?.sentMs ?? 0) < 1000)
    const tooMany = paced.filter(({ sentMs }, n) => n >= 60 && sentMs - (paced[n - 60]?.sentMs ?? 0) < 60_000)
    expect([tooClose.length, tooMany.length]).toEqual([0, 0])
  })

  it('lets high texts leave at the next poll, whatever is queued, unless their worker dies', () => {
    const late = sent.filter(({ text, deaths, ms, sentMs }) => {
      return text.priority === 'high' && deaths === 0 && sentMs - ms > 2000
    })
    expect(late).toEqual([])
  })

  it('uses every slot while many wait: typing never lowers the pace', () => {
    const full = sent.filter(({ before, text, deaths }) => before > 200 && text.priority !== 'high' && deaths === 0)
    expect(full.length).toBeGreaterThan(10_000)
    const places = new Map(paced.map((arrival, n) => [arrival, n]))
    const idle = full.filter((arrival) => {
      const n = places.get(arrival) ?? 0
      const earlier = paced[n - 100]
      // A hundred slots take a hundred seconds; the messages of a dead worker leave theirs unused.
      return earlier && arrival.sentMs - earlier.sentMs > 115_000 && earlier.sentMs > arrival.ms
    })
    expect(idle.length).toBeLessThan(full.length / 50)
  })

  it('never starves a low text: only what was before, and normal ones of two more minutes, leave first', () => {
    const places = new Map(paced.map((arrival, n) => [arrival, n]))
    const normals = arrivals.filter(({ text }) => text.priority === 'normal').map(({ ms }) => ms)
    const lows = paced.filter(({ text, deaths }) => text.priority === 'low' && deaths === 0)
    expect(lows.length).toBeGreaterThan(50_000)
    const times = paced.map(({ sentMs }) => sentMs)
    const starved = lows.filter((low) => {
      const slots = (places.get(low) ?? 0) - firstAfter(times, low.ms)
      const overtaking = firstAfter(normals, low.ms + lowPenaltyMs) - firstAfter(normals, low.ms)
      return slots > low.before + overtaking
    })
    expect(starved).toEqual([])
  })
})

/** The place of the first of these ascending times that is later than `ms`. */
function firstAfter(times: readonly number[], ms: number): number {
  let [from, to] = [0, times.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((times[middle] ?? 0) <= ms) from = middle + 1
    else to = middle
  }
  return from
}
