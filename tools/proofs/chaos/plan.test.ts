import { describe, expect, it } from 'vitest'
import { crashPoints } from '../../../packages/server/src/platform/crash-points.ts'
import { type Fault, fullSize, links, makePlan, parts, planLines, shortSize } from './plan.ts'

const kinds = ['cut', 'drop', 'freeze', 'jump', 'kill', 'latency', 'reset', 'restart']

function faultsOf(seed: number, size = fullSize(100)): Fault[] {
  return makePlan(seed, size).flatMap((round) => round.map(({ fault }) => fault))
}

function kindsOf(faults: readonly Fault[]): string[] {
  return [...new Set(faults.map(({ kind }) => kind))].sort()
}

describe('the plan of faults', () => {
  it('is the same for the same seed, and another for another', () => {
    const lines = planLines(makePlan(7, fullSize(100)))
    expect(lines).toEqual(planLines(makePlan(7, fullSize(100))))
    expect(lines).not.toEqual(planLines(makePlan(8, fullSize(100))))
    expect(lines[0]).toMatch(/^round 1, after \d+ ms: \w/)
  })

  it.each([1, 2, 3])('of seed %i kills 200 times and has every kind, link, part and crash point', (seed) => {
    const faults = faultsOf(seed)
    const kills = faults.filter((fault) => fault.kind === 'kill')
    expect(kills).toHaveLength(200)
    expect(kindsOf(faults)).toEqual(kinds)
    expect(new Set(kills.map(({ part }) => part))).toEqual(new Set(parts))
    for (const kind of ['latency', 'reset', 'cut'] as const) {
      const hit = faults.flatMap((fault) => (fault.kind === kind ? [fault.link] : []))
      expect(new Set(hit), kind).toEqual(new Set(links))
    }
    const points = kills.flatMap(({ successor }) => (successor ? [successor.point] : []))
    expect(Object.keys(crashPoints).filter((point) => !points.some((reached) => reached === point))).toEqual([])
  })

  it.each([1, 2, 3])('of seed %i has every kind and every link in its short form too', (seed) => {
    const faults = faultsOf(seed, shortSize)
    expect(kindsOf(faults)).toEqual(kinds)
    expect(new Set(faults.flatMap((fault) => ('link' in fault ? [fault.link] : [])))).toEqual(new Set(links))
    expect(faults.filter(({ kind }) => kind === 'kill')).toHaveLength(shortSize.kills)
  })

  it('freezes no part that is killed in the same round', () => {
    for (const round of makePlan(3, fullSize(300))) {
      const killed = round.flatMap(({ fault }) => (fault.kind === 'kill' ? [fault.part] : []))
      const frozen = round.flatMap(({ fault }) => (fault.kind === 'freeze' ? [fault.part] : []))
      expect(frozen.filter((part) => killed.includes(part))).toEqual([])
    }
  })
})
