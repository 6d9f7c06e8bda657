import { describe, expect, it } from 'vitest'
import { toArrival } from '../packages/server/src/conversations/inbound/arrival.ts'
// @ts-expect-error: a script, whose types this project does not read.
import * as compare from '../tools/bench/results/compare.mjs'
// @ts-expect-error: a script, whose types this project does not read.
import * as targets from '../tools/bench/results/targets.mjs'
// @ts-expect-error: a script, whose types this project does not read.
import * as arrivals from '../tools/bench/scale/arrivals.mjs'

type ReceivedEvent = Parameters<typeof toArrival>[0]
interface Compared {
  readonly name: string
  readonly was?: number
  readonly is?: number
  readonly percent: number | null
}
const receivedMessage: (number: object, message: object) => ReceivedEvent = arrivals.receivedMessage
const compareRatios: (before: string, after: string) => Compared[] = compare.compareRatios
const farApart: (compared: Compared[]) => Compared[] = compare.farApart
const withScale: (page: string, results: string) => string = targets.withScale
const withTargets: (page: string, results: string) => string = targets.withTargets
const missingInScale: (results: string) => string[] = targets.missingInScale

const page = '<!-- The table is written by npm run bench. -->\n\n<!-- The end of the table. -->'
const results = (...rows: string[]) =>
  ['| benchmark | what | measured | target | met |', '| --- | --- | ---: | --- | --- |', ...rows].join('\n')

describe('the benchmarks', () => {
  it('receive messages in the form that the service expects', () => {
    const number = { organizationId: 'o', containerId: 'c', at: new Date(0) }
    const arrival = toArrival(receivedMessage(number, { n: 1 }))
    expect(Object.entries(arrival).filter(([, value]) => value === undefined)).toEqual([])
    expect(arrival).toMatchObject({ ...number, networkId: 'in-1', address: '14050000001', networkRef: null })
  })
})

describe('the tables of targets', () => {
  it('keep what is promised apart from what is only a figure', () => {
    const rows = [
      '| accept | texts accepted, against the floor with 11346 a second | 0.79 x | at least 0.8 | **no** |',
      '| accept | texts accepted by 2 API process(es), against one | 1.2 x | at least 1.2 | yes |',
      '| latency | apart, one a second: POST to tail | 41.3 ms (most 65.0, of 12) | at most 50 | yes |',
      '| latency | apart, one a second: POST to network | 19.0 ms (most 38.0, of 12) |  |  |',
    ] as const
    const [promised = '', others = ''] = withTargets(page, results(...rows)).split('### What is only a figure')
    expect(promised).toContain(rows[1])
    expect(promised).toContain(rows[2])
    expect(promised).not.toContain(rows[0])
    expect(others).toContain(rows[0])
    expect(promised + others).not.toContain('POST to network')
  })
})

describe('a run of which a part is missing', () => {
  const cut = results(
    '| drain | messages sent over 1000 number(s) | 23310 a second | at least 15000 | yes |',
    '| paced | the rest | cut off after 3 s |  | **no** |',
    '| console-paint | the console in a browser | no Chromium was found |  | not measured |',
  )

  it('is in the table of targets, with what was not measured', () => {
    const table = withTargets(page, cut)
    expect(table).toContain('| paced | the rest | cut off after 3 s |  | **no** |')
    expect(table).toContain('| console-paint | the console in a browser | no Chromium was found |  | not measured |')
  })

  it('leaves no older figure in the plan for growth', () => {
    const table = withScale(page, cut)
    expect(table).toContain('| 23,300 a second | drain |')
    expect(table).toContain('| statements for those | not measured in the last run | paced |')
    expect(missingInScale(cut)).toContain('"queries for them" of paced')
    expect(missingInScale(cut).join()).not.toContain('drain')
  })
})

describe('the comparison of two runs', () => {
  const before = results(
    '| drain | sent, against pg-boss with 11427 a second | 1.50 x | at least 1 | yes |',
    '| history | GET /stats: 1.8 ms with a million, against 1.7 ms | 1.00 x |  |  |',
    '| cli | msgctl --help | 1.40 x node -e 0 | at most 1.5 | yes |',
    '| drain | sent | 19137 a second |  |  |',
  )
  const after = results(
    '| drain | sent, against pg-boss with 9021 a second | 1.62 x | at least 1 | yes |',
    '| history | GET /stats: 2.1 ms with a million, against 1.6 ms | 1.20 x |  |  |',
  )

  it('finds the same ratio by its name, whatever figures stand in it', () => {
    const compared = compareRatios(before, after)
    expect(compared.map(({ was, is, percent }) => [was, is, percent === null ? null : Math.round(percent)])).toEqual([
      [1.5, 1.62, 8],
      [1, 1.2, 20],
      [1.4, undefined, null],
    ])
  })

  it('lists what differs by more than a tenth or is missing', () => {
    expect(farApart(compareRatios(before, after)).map(({ name }) => name.split(':')[0])).toEqual(['history', 'cli'])
    expect(farApart(compareRatios(before, before))).toEqual([])
  })
})
