import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { limits } from '@msgctl/contract'
import { expect, it } from 'vitest'
import { readSources } from './sources.ts'
import { type TableBound, tableBounds } from './table-bounds.ts'

const server = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../packages/server/src')
const read = (file: string) => readFileSync(path.join(server, file), 'utf8')
const tables = [...read('platform/db/tables.ts').matchAll(/^ {4}(\w+): Table</gm)].map(([, table = '']) => table)
const sources = readSources(path.resolve(server, '../../..')).filter(
  ({ pack, forTests }) => pack === 'server' && !forTests,
)
const product = sources.map(({ text }) => text).join('\n')
const jobs = new Set(
  sources
    .filter(({ file }) => file.endsWith('/jobs.ts'))
    .flatMap(({ text }) => [...text.matchAll(/(?:\bname: |\brepeating\()\s*'([^']+)'/g)].map(([, job = '']) => job)),
)

/** The foreign keys of the tables: to which table, and whether a row ends with the one it belongs to. */
const keys = read('platform/db/schema.sql')
  .split(/^(?=create table )/m)
  .flatMap((text) => {
    const table = /^create table (\w+)/.exec(text)?.[1] ?? ''
    const found = text.matchAll(/FOREIGN KEY \([^)]*\) REFERENCES (\w+)\([^)]*\)( ON DELETE CASCADE)?/g)
    return [...found].map(([, to = '', cascade]) => ({ table, to, endsWith: cascade !== undefined }))
  })

/** Tables without a foreign key to their parent: the primary key names it, and its store deletes their rows with it. */
const withoutKey =
  'api_keys change_limits chats event_positions gateway_sessions history_imports lanes message_hours message_places ' +
  'message_texts message_totals number_guards opt_out_keywords reminder_sends sim_fault_hits sim_sessions ' +
  'sim_typing waha_sessions'

/** Whether a statement of the server deletes rows of a table. */
function isDeleted(table: string): boolean {
  const bySql = new RegExp(`delete\\s+from\\s+(?:only\\s+)?${table}\\b`, 'i')
  const byBuilder = new RegExp(`\\('${table}'\\)[^;]{0,400}\\.(?:delete|del)\\(`)
  return bySql.test(product) || byBuilder.test(product)
}

/** Returns the limit of the contract with this name; undefined for another name. */
function limitOf(name: string): unknown {
  return name.split('.').reduce<unknown>((found, key) => (found as Record<string, unknown> | undefined)?.[key], limits)
}

const isTest = (file: string) => file.endsWith('.test.ts') && existsSync(path.join(server, file))

function faultsOf(table: string, bound: TableBound, bounds: Readonly<Record<string, TableBound>>): string[] {
  if ('fixed' in bound) return bound.fixed.length > 5 ? [] : [`${table} gives no reason`]
  if ('retention' in bound) {
    const parents = keys.filter((key) => key.table === table && key.endsWith).map(({ to }) => to)
    return [
      ...(jobs.has(bound.retention) ? [] : [`${table}: there is no job ${bound.retention}`]),
      ...([table, ...parents].some(isDeleted) ? [] : [`${table}: no statement deletes its rows`]),
    ]
  }
  if ('quota' in bound) {
    return [
      ...(typeof limitOf(bound.quota) === 'number' ? [] : [`${table}: there is no limit ${bound.quota}`]),
      ...(new RegExp(`\\blimits\\.${bound.quota}\\b`).test(product)
        ? []
        : [`${table}: the server does not use ${bound.quota}`]),
      ...(isTest(bound.refusedIn) ? [] : [`${table}: there is no test ${bound.refusedIn}`]),
    ]
  }
  const hasKey = keys.some((key) => key.table === table && key.to === bound.parent)
  if (hasKey === withoutKey.split(' ').includes(table)) return [`${table}: ${bound.parent} is not the table of its key`]
  const seen = new Set([table])
  for (let parent: string = bound.parent; ; ) {
    const next = bounds[parent]
    if (!next || seen.has(parent)) return [`${table}: ${parent} has no bound`]
    if (!('parent' in next)) return []
    seen.add(parent)
    parent = next.parent
  }
}

/** What is wrong with the bounds: tables without one, bounds without a table, limits and jobs that do not exist. */
function faultsIn(bounds: Readonly<Record<string, TableBound>>): string[] {
  return [
    ...tables.filter((table) => !(table in bounds)).map((table) => `${table} has no bound`),
    ...Object.keys(bounds)
      .filter((table) => !tables.includes(table))
      .map((table) => `${table} is no table`),
    ...Object.entries(bounds).flatMap(([table, bound]) => faultsOf(table, bound, bounds)),
  ]
}

it('bounds each table by a quota of the contract, by a job, or by its parent, or says why not', () => {
  expect(tables.length).toBeGreaterThan(90)
  expect(jobs.size).toBeGreaterThan(30)
  expect(faultsIn(tableBounds)).toEqual([])
})

it.each<[Record<string, TableBound>, string]>([
  [{ new_table: { fixed: 'not there' } }, 'new_table is no table'],
  [
    { contacts: { quota: 'nothing.rows', refusedIn: 'conversations/contacts/store.ts' } },
    'contacts: there is no limit nothing.rows',
  ],
  [
    { contacts: { quota: 'signIn', refusedIn: 'conversations/contacts/store.ts' } },
    'contacts: there is no limit signIn',
  ],
  [{ contacts: { quota: 'otp.statsDays', refusedIn: 'none.test.ts' } }, 'contacts: there is no test none.test.ts'],
  [{ contacts: { quota: 'optedOut.row', refusedIn: 'none.test.ts' } }, 'contacts: there is no limit optedOut.row'],
  [
    { contacts: { quota: 'optedOut.rows', refusedIn: 'conversations/contacts/store.ts' } },
    'contacts: there is no test conversations/contacts/store.ts',
  ],
  [{ service_clock: { retention: 'events.purge' } }, 'service_clock: no statement deletes its rows'],
  [{ mails: { parent: 'numbers', atMost: 1 } }, 'mails: numbers is not the table of its key'],
  [{ contacts: { retention: 'contacts.cleanup' } }, 'contacts: there is no job contacts.cleanup'],
  [{ bots: { parent: 'bot_numbers', atMost: 1 } }, 'bot_numbers: bot_numbers has no bound'],
  [{ contacts: { fixed: '' } }, 'contacts gives no reason'],
])('finds what is wrong in %j', (changed, fault) => {
  expect(faultsIn({ ...tableBounds, ...changed })).toContain(fault)
})

it('finds a table without a bound', () => {
  const { contacts: _, ...others } = tableBounds
  expect(faultsIn(others)).toContain('contacts has no bound')
})
