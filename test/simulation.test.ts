import { describe, expect, it } from 'vitest'
// @ts-expect-error: a script, whose types this project does not read.
import * as simulation from '../tools/bench/scale/simulation.mjs'

type Use = Record<string, number | number[]>
type Hour = Record<'accepted' | 'begun' | 'leaving' | 'replies', Float64Array>
type Needs = Record<'leavingEachSecond' | 'postgresCores' | 'apiCores' | 'workerCores', number>
const usual: Use = simulation.usual
const playHour: (numbers: number, use?: Use, seed?: number) => Hour = simulation.playHour
const needsOf: (hour: Hour, costs: object, use: Use, busy: number) => Needs = simulation.needsOf

const sum = (figures: Float64Array) => figures.reduce((total, figure) => total + figure, 0)
const none = { postgres: 0, api: 0, worker: 0 }
const free = { accept: none, campaign: none, send: none, receipt: none, receive: none, webhook: none }

describe('the simulation of the busiest hour', () => {
  it('lets every text leave that is due, and none twice', () => {
    const alone = { ...usual, campaigns: 0, textsInHour: 5 }
    const hour = playHour(1000, alone)
    expect([sum(hour.accepted), sum(hour.begun), sum(hour.replies)]).toEqual([5000, 0, 10_000])
    // A text of the last seconds may wait for the one before it.
    expect(sum(hour.leaving)).toBeGreaterThan(4980)
    expect(sum(hour.leaving)).toBeLessThanOrEqual(5000)
  })

  it('lets a number send no faster than its pace, campaign included', () => {
    const hour = playHour(1, { ...usual, campaigns: 1, campaignSize: 10_000, pace: [5, 5] })
    const times = [...hour.leaving.entries()].flatMap(([second, texts]) => (texts > 0 ? [second] : []))
    expect(Math.max(...hour.leaving)).toBe(1)
    expect(Math.min(...times.slice(1).map((time, index) => time - (times[index] ?? 0)))).toBe(5)
  })

  it('is the same in each run', () => {
    expect(playHour(500)).toEqual(playHour(500))
    expect(playHour(500, usual, 2)).not.toEqual(playHour(500))
  })

  it('needs for each part what its work costs, with the room that is asked for', () => {
    const hour = playHour(20_000, { ...usual, campaigns: 0 })
    const costs = { ...free, send: { postgres: 2, api: 0, worker: 1 } }
    const { leavingEachSecond, postgresCores, apiCores, workerCores } = needsOf(hour, costs, usual, 0.5)
    // 20,000 numbers send 33 texts an hour: 183 a second, of which each takes 2 ms.
    expect(leavingEachSecond).toBeGreaterThan(183)
    expect(postgresCores).toBeGreaterThan(0.73)
    expect(postgresCores).toBeLessThan(0.8)
    expect([apiCores, workerCores]).toEqual([0, postgresCores / 2])
  })
})
