// The tables of docs/performance/README.md and docs/run/scale.md: figures of the last run of all benchmarks, rounded
// for people.

/**
 * The cells of a row of RESULTS.md: an empty one, then benchmark, what, measured, target and whether it was met.
 * @typedef {[empty: '', benchmark: string, what: string, measured: string, target: string, met: string]} Cells
 */

/** What stands around a table in its page. */
const begin = '<!-- The table is written by npm run bench. -->'
const end = '<!-- The end of the table. -->'

const notMeasured = 'not measured in the last run'

/**
 * Returns the page with the table of these results, the text of RESULTS.md. Throws when the page has no place for it.
 * @param {string} page
 * @param {string} results
 */
export function withTargets(page, results) {
  return withTable(page, targetsTable(results))
}

/**
 * The figures on which docs/run/scale.md builds: the benchmark, what it measured, and what that is to a reader.
 * @type {[benchmark: string, what: string, words: string][]}
 */
const ofScale = [
  ['accept', 'texts accepted', 'texts that one API process accepts'],
  [
    'drain',
    'messages sent over 1000 number(s)',
    'messages that one worker hands over through 1,000 numbers without a pace',
  ],
  ['paced', 'messages of 1,000 numbers at one a second each', 'messages of 1,000 numbers at one a second each'],
  ['paced', 'queries for them', 'statements for those'],
  ['idle', 'queries of an idle service with 1,000 linked numbers', 'statements of an idle service with 1,000 numbers'],
  ['webhooks', 'webhooks delivered for 50 organization(s)', 'webhooks that one worker delivers'],
  ['fanout', 'events written to 100 tails', 'events written to 100 streams by one API process'],
  ['memory', 'api, at most, over 10000 messages', 'memory of an API process, at most'],
  ['memory', 'worker, at most, over 10000 messages', 'memory of a worker, at most'],
  ...[1, 2, 4].flatMap((count) => asMeasured('scale', workersWords(count))),
  ...asMeasured('scale', ['workers at the knee: more of them bring less than a tenth more']),
  ...[1, 2, 4].flatMap((count) => asMeasured('accept', acceptWords(count))),
]

/**
 * Figures whose words are those of the benchmark.
 * @param {string} benchmark
 * @param {string[]} names
 * @returns {[benchmark: string, what: string, words: string][]}
 */
function asMeasured(benchmark, names) {
  return names.map((what) => [benchmark, what, what])
}

/** @param {number} count */
function workersWords(count) {
  const name = `messages sent by ${count} worker(s) over the simulated network`
  return [name, `statements for each of the ${name}`]
}

/** @param {number} count */
function acceptWords(count) {
  return [
    `texts accepted by ${count} API process(es), 64 callers and 40 numbers`,
    `texts accepted by ${count} API process(es), 256 callers and 400 numbers`,
  ]
}

/**
 * Returns the page of the plan for growth with the figures of these results. Instead of a figure that is missing, its
 * row says that it was not measured.
 * @param {string} page
 * @param {string} results
 */
export function withScale(page, results) {
  const rows = scaleFigures(results).map(
    ({ benchmark, words, measured }) =>
      `| ${words} | ${measured === undefined ? notMeasured : rounded(measured)} | ${benchmark} |`,
  )
  return withTable(page, ['| what | measured | benchmark |', '| --- | ---: | --- |', ...rows].join('\n'))
}

/**
 * Returns those figures of the plan for growth that these results do not have.
 * @param {string} results
 */
export function missingInScale(results) {
  return scaleFigures(results)
    .filter(({ measured }) => measured === undefined)
    .map(({ benchmark, what }) => `"${what}" of ${benchmark}`)
}

/** @param {string} results */
function scaleFigures(results) {
  const cells = cellsOf(results)
  return ofScale.map(([benchmark, what, words]) => {
    const found = cells.find(([, program, named]) => program === benchmark && named === what)
    return { benchmark, what, words, measured: found?.[3] }
  })
}

/** @param {string} page @param {string} table */
function withTable(page, table) {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  if (from < 0 || to < from) throw new Error('The page has no place for the table that npm run bench writes')
  return `${page.slice(0, from + begin.length)}\n\n${table}\n\n${page.slice(to)}`
}

/**
 * Returns the cells of each row of RESULTS.md.
 * @param {string} results
 */
export function cellsOf(results) {
  return results
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2)
    .map((line) => /** @type {Cells} */ (line.split(/(?<!\\)\|/).map((cell) => cell.trim())))
}

/**
 * What we promise to the people who run the service, by benchmark and name. The rest only guards against losing speed.
 * @type {[benchmark: string, what: RegExp][]}
 */
const promised = [
  ['accept', /API process/],
  ['growth', /./],
  ['history', /./],
  ['latency', /./],
  ['paced', /./],
]

/** @param {string} results */
function targetsTable(results) {
  const rows = cellsOf(results).filter(([, , , , target, met]) => target !== '' || met !== '')
  /** @param {Cells} cells */
  const isPromised = ([, benchmark, what]) => promised.some(([name, words]) => name === benchmark && words.test(what))
  return [
    '### What is promised',
    tableOf(rows.filter(isPromised)),
    '### What is only a figure',
    tableOf(rows.filter((cells) => !isPromised(cells))),
  ].join('\n\n')
}

/** @param {Cells[]} all */
function tableOf(all) {
  const rows = all.map(
    ([, benchmark, what, measured, target, met]) =>
      `| ${benchmark} | ${what} | ${rounded(measured)} | ${rounded(target)} | ${met} |`,
  )
  return ['| benchmark | what | measured | target | met |', '| --- | --- | ---: | --- | --- |', ...rows].join('\n')
}

/**
 * Rounds the first number of a text to three digits.
 * @param {string} text
 */
function rounded(text) {
  return text.replace(/\d+(\.\d+)?/, (number) => Number(Number(number).toPrecision(3)).toLocaleString('en-US'))
}
