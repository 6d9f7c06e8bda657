import { expect } from 'vitest'
import type { Round } from './plan.ts'
import type { ChaosOutcome } from './run.ts'

/** Formats what a run came to. */
export function summary(seed: number, { figures, reached, errors, slowest }: ChaosOutcome): string {
  const logged = [...errors].map(([kind, count]) => `${count} x ${kind.split('\n')[0]}`)
  const lines = Object.entries({ seed, ...figures, crashPoints: reached.length })
  return [
    'errors that were logged during the run:',
    ...logged,
    slowest,
    ...lines.map(([name, figure]) => `${name}: ${figure}`),
  ].join('\n')
}

/** Expects that nothing broke, and that every process of the plan died where it was to. */
export function expectNoFaults(plan: readonly Round[], outcome: ChaosOutcome): void {
  expect(outcome.faults.slice(0, 100)).toEqual([])
  expect(outcome.missed).toEqual([])
  const wanted = plan
    .flat()
    .flatMap(({ fault }) => (fault.kind === 'kill' && fault.successor ? [fault.successor.point] : []))
  expect(outcome.reached.toSorted()).toEqual([...new Set(wanted)].sort())
  expect(outcome.figures.repeated).toBeGreaterThan(0)
}
