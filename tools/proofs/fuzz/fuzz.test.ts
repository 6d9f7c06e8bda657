import { describe, expect, it } from 'vitest'
import { makeBaseline } from './baseline.ts'
import { type Json, operationsOf } from './document.ts'
import { createOracle } from './oracle.ts'
import { type FuzzOutcome, run, type Tally } from './run.ts'

const long = process.env.FUZZ_REQUESTS !== undefined
const seed = Number(process.env.FUZZ_SEED ?? 1)
const requests = Number(process.env.FUZZ_REQUESTS ?? 3000)
const withinMs = long ? 3_600_000 : 25_000

const ground = await makeBaseline()
const document: Json = await (await fetch(`${ground.server.baseUrl}/openapi.json`)).json()
const only = process.env.FUZZ_OPERATIONS?.split(',')
const operations = operationsOf(document).filter(({ id }) => only?.includes(id) ?? true)
/** So many that each operation has had every chance to succeed. */
const enough = only ? operations.length * 60 : 10_000

/** Rules between fields, and on what exists, for which a document has words but no schema. */
const rulesInWords = [
  'unless mediaId is given',
  'together with mediaId',
  'must be given',
  'have no value for a placeholder',
  'lack a value',
  'of a search',
  'more than spaces',
  'only white space',
  'while the send group is on',
  'cannot be changed',
  'does not fit',
  'required for a new account',
  'must change at least one',
  'must have a letter or a digit',
  'has a key that is not allowed',
  'must be the exact name',
  'must end after it begins',
  'stands in the import already',
  'must not stand beside',
  'must not be after to',
  'days before to',
  'must have a value for',
  'more decimals than',
  'must be a country',
  'needed before the first payment',
]
/** How often each operation responded 2xx, 3xx, 4xx and 5xx, and with which codes. */
function tableOf({ tallies, changes }: FuzzOutcome): string {
  const lines = [...tallies].map(([id, tally]: [string, Tally]) => {
    const counts = [2, 3, 4, 5].map((hundred) => String(answered(tally, hundred)).padStart(6)).join('')
    const codes = [...tally.codes].sort(([, a], [, b]) => b - a).map(([code, n]) => `${code} ${n}`)
    return `${id.padEnd(26)}${counts}  ${codes.join(', ')}`
  })
  const ways = [...changes].map(([name, n]) => `${name} ${n}`)
  return [`${'operation'.padEnd(26)}   2xx   3xx   4xx   5xx`, ...lines, `changes: ${ways.join(', ')}`].join('\n')
}

function answered({ statuses }: Tally, hundred: number): number {
  return [...statuses].reduce((sum, [status, n]) => (Math.floor(status / 100) === hundred ? sum + n : sum), 0)
}

describe('requests made from the OpenAPI document', async () => {
  const outcome = await run({ baseline: ground, operations, oracle: createOracle(document), seed, requests, withinMs })
  if (long) console.log(tableOf(outcome))

  it('get a response that the document describes, whatever is wrong with them, and never a failure', () => {
    expect(outcome.failures.map(({ report }) => report).join('\n\n')).toBe('')
    expect(outcome.requests).toBeGreaterThan(operations.length)
  })

  it('are never refused for their form when the document allows it', () => {
    const refused = outcome.refusedGood.filter(({ report }) => !rulesInWords.some((words) => report.includes(words)))
    expect(refused.map(({ report }) => report).join('\n\n')).toBe('')
  })

  it('reach what every operation does, not only its checks', () => {
    const never = [...outcome.tallies].flatMap(([id, tally]) => (answered(tally, 2) === 0 ? [id] : []))
    // In about ten requests for each operation, those that need something that others made may have had bad luck; in
    // many, none has.
    if (outcome.requests >= enough) expect(never).toEqual([])
    else expect(never.length, never.join(', ')).toBeLessThan(outcome.requests < requests ? operations.length / 2 : 6)
  })
})
