import { describe } from 'vitest'
import { describeEvents } from './contract-suite/events.ts'
import type { MakeHarness } from './contract-suite/harness.ts'
import { describeHistory } from './contract-suite/history.ts'
import { describeNumbers } from './contract-suite/numbers.ts'
import { describeSends } from './contract-suite/sends.ts'

/** What every driver promises. `makeHarness` is called in each test and cleans up after it. */
export function describeGateway(name: string, makeHarness: MakeHarness): void {
  describe(`the gateway promises of ${name}`, () => {
    describe('numbers', () => describeNumbers(makeHarness))
    describe('sends', () => describeSends(makeHarness))
    describe('events', () => describeEvents(makeHarness))
    describe('what is there already', () => describeHistory(makeHarness))
  })
}
