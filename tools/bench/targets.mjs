// The table of docs/performance.md: the targets of the last run of all benchmarks, with figures rounded for people.

/** What stands around the table in the page. */
const begin = '<!-- The table is written by npm run bench. -->'
const end = '<!-- The end of the table. -->'

/** Returns the page with the table of these results, the text of RESULTS.md. Throws when the page has no place for it. */
export function withTargets(page, results) {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  if (from < 0 || to < from) throw new Error('docs/performance.md has no place for the table of targets')
  return `${page.slice(0, from + begin.length)}\n\n${targetsTable(results)}\n\n${page.slice(to)}`
}

function targetsTable(results) {
  const cells = results
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2)
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
  const rows = cells
    .filter(([, , , , target]) => target !== '')
    .map(([, benchmark, what, measured, target, met]) => {
      return `| ${benchmark} | ${what} | ${rounded(measured)} | ${rounded(target)} | ${met} |`
    })
  return ['| benchmark | what | measured | target | met |', '| --- | --- | ---: | --- | --- |', ...rows].join('\n')
}

/** Rounds the first number of a text to three digits. */
function rounded(text) {
  return text.replace(/\d+(\.\d+)?/, (number) => Number(Number(number).toPrecision(3)).toLocaleString('en-US'))
}
