// What a text costs each part, and what installations of up to a million numbers need for it.
import { record } from '../results/report.mjs'
import { needsOf, playHour } from './simulation.mjs'

/** @import { Costs, Step } from './simulation.mjs' */

/** A Postgres with this many cores is a usual machine. */
const coresOfPostgres = 16

/**
 * Records the costs, and the sizes of installations in their busiest hour.
 * @param {Costs} costs
 */
export function reportSizes(costs) {
  /** @type {[name: Step, verb: string][]} */
  const parts = [
    ['accept', 'accepted'],
    ['send', 'sent'],
    ['receipt', 'delivered'],
    ['receive', 'received'],
  ]
  for (const [name, verb] of parts) {
    for (const [part, figure] of Object.entries(costs[name])) {
      record(`CPU of ${part} for a text that is ${verb}`, figure, { unit: 'ms', digits: 3 })
    }
  }
  for (const numbers of [1000, 10_000, 100_000, 1_000_000]) {
    const needs = needsOf(playHour(numbers), costs)
    const installations = Math.ceil(needs.postgresCores / coresOfPostgres)
    const name = `${numbers.toLocaleString('en-US')} numbers in their busiest hour`
    record(`${name}: texts leave`, needs.leavingEachSecond, { unit: 'a second', digits: 0 })
    record(`${name}: Postgres, each with ${coresOfPostgres} cores`, installations, { unit: '', digits: 0 })
    record(`${name}: cores of Postgres`, needs.postgresCores, { unit: 'cores', digits: 1 })
    record(`${name}: API processes, each a core`, Math.ceil(needs.apiCores), { unit: '', digits: 0 })
    record(`${name}: workers, each a core`, Math.ceil(needs.workerCores), { unit: '', digits: 0 })
  }
}
