import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { limits } from '@msgctl/contract'
import { expect, it } from 'vitest'
import { readSources } from './sources.ts'
import { type TableBound, tableBounds } from './table-bounds.ts'

const server = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../packages/server/src')
const read = (file: string) => readFileSync(path.join(server, file), 'utf8')
const tables = [...read('db/tables.ts').matchAll(/^ {4}(\w+): Table</gm)].map(([, table = '']) => table)
const jobs = new Set([...read('process/jobs.ts').matchAll(/\bname: '([^']+)'/g)].map(([, job = '']) => job))
const product = readSources(path.resolve(server, '../../..'))
  .filter(({ pack, forTests }) => pack === 'server' && !forTests)
  .map(({ text }) => text)
  .join('\n')

/** Returns the limit of the contract with this name; undefined for another name. */
function limitOf(name: string): unknown {
  return name.split('.').reduce<unknown>((found, key) => (found as Record<string, unknown> | undefined)?.[key], limits)
}

function faultsOf(table: string, bound: TableBound, bounds: Readonly<Record<string, TableBound>>): string[] {
  if ('fixed' in bound) return bound.fixed.length > 5 ? [] : [`${table} gives no reason`]
  if ('retention' in bound) return jobs.has(bound.retention) ? [] : [`${table}: there is no job ${bound.retention}`]
  if ('quota' in bound) {
    return [
      ...(typeof limitOf(bound.quota) === 'number' ? [] : [`${table}: there is no limit ${bound.quota}`]),
      ...(product.includes(`limits.${bound.quota}`) ? [] : [`${table}: the server does not use ${bound.quota}`]),
      ...(existsSync(path.join(server, bound.refusedIn)) ? [] : [`${table}: there is no ${bound.refusedIn}`]),
    ]
  }
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
  [{ contacts: { quota: 'nothing.rows', refusedIn: 'contacts/store.ts' } }, 'contacts: there is no limit nothing.rows'],
  [{ contacts: { quota: 'signIn', refusedIn: 'contacts/store.ts' } }, 'contacts: there is no limit signIn'],
  [{ contacts: { quota: 'otp.statsDays', refusedIn: 'none.test.ts' } }, 'contacts: there is no none.test.ts'],
  [{ contacts: { retention: 'contacts.cleanup' } }, 'contacts: there is no job contacts.cleanup'],
  [{ contacts: { parent: 'chats', atMost: 1 } }, 'contacts: contacts has no bound'],
  [{ contacts: { fixed: '' } }, 'contacts gives no reason'],
])('finds what is wrong in %j', (changed, fault) => {
  expect(faultsIn({ ...tableBounds, ...changed })).toContain(fault)
})

it('finds a table without a bound', () => {
  const { contacts: _, ...others } = tableBounds
  expect(faultsIn(others)).toContain('contacts has no bound')
})
