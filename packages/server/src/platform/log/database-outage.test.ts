import { expect, it } from 'vitest'
import { outageReports } from './database-outage.ts'
import { createLogger } from './log.ts'

/** Returns the reports, a clock to move, and the lines that were logged. */
function prepare() {
  const lines: string[] = []
  const clock = { ms: 0 }
  const log = createLogger('info', { write: (line) => void lines.push(line) })
  return { reports: outageReports(log, () => clock.ms), clock, logged: () => lines.map((line) => JSON.parse(line)) }
}

const failure =
  'Acquire connection error: error: the database system is starting up\n    at parseErrorMessage (x.js:1:1)'

it('an outage is one line without a stack, and one when it is over', () => {
  const { reports, clock, logged } = prepare()
  reports.responded()
  for (let second = 0; second < 35; second += 1) {
    reports.lost(failure)
    clock.ms += 1000
  }
  const msg = 'Acquire connection error: error: the database system is starting up'
  expect(logged()).toMatchObject([{ level: 'warn', event: 'database_connection_lost', msg }])
  for (let n = 0; n < 3; n += 1) reports.responded()
  expect(logged().slice(1)).toMatchObject([{ level: 'info', event: 'database_back', seconds: 35, failures: 35 }])
})

it('the next outage is logged again', () => {
  const { reports, logged } = prepare()
  for (let n = 0; n < 2; n += 1) {
    reports.responded()
    reports.lost(failure)
    reports.responded()
  }
  const outage = ['database_connection_lost', 'database_back']
  expect(logged().map(({ event }) => event)).toEqual([...outage, ...outage])
})

it('a start without a database, which ends with its own sentence, is no outage', () => {
  const { reports, logged } = prepare()
  reports.lost(failure)
  expect(logged()).toEqual([])
})
