// Loaded into a program that a benchmark starts: before each reading statement, records the plan that Postgres executes
// for it.
import { appendFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const { PLAN_FILE: file = '' } = process.env
/** @type {typeof import('pg').default} */
const pg = createRequire(new URL('../../../packages/server/package.json', import.meta.url))('pg')
const { query } = pg.Client.prototype

/** @param {string} sql */
const reads = (sql) =>
  /^\s*(?:select|with)\b/i.test(sql) && !/\b(?:insert|update|delete|for update|pg_notify|nextval)\b/i.test(sql)

pg.Client.prototype.query = function recorded(config, values, ...others) {
  const text = typeof config === 'string' ? config : config?.text
  if (typeof text === 'string' && reads(text)) {
    const bound = Array.isArray(values) ? values : typeof config === 'string' ? [] : (config.values ?? [])
    // Queued before the statement itself, on the same connection.
    const explained = query.call(this, { text: `explain (analyze, buffers, format json) ${text}`, values: bound })
    explained.then(
      ({ rows }) => {
        const [row] = /** @type {[{ 'QUERY PLAN': [unknown] }]} */ (/** @type {unknown} */ (rows))
        appendFileSync(file, `${JSON.stringify({ text, plan: row['QUERY PLAN'][0] })}\n`)
      },
      (error) => appendFileSync(file, `${JSON.stringify({ text, error: String(error) })}\n`),
    )
  }
  return query.call(this, config, values, ...others)
}
