import type { Violation } from './import-rules.ts'
import type { Source } from './sources.ts'
import { foreignWriters, tableOwners } from './table-owners.ts'

const inSql = /\b(?:insert\s+into|delete\s+from|update)\s+(?:only\s+)?(\w+)/gi
const call = String.raw`\.\w+(?:<[^()]*>)?\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)`
const withBuilder = new RegExp(String.raw`\('(\w+)'\)(?:\s*${call})*?\s*\.(?:insert|update|delete|del|truncate)\(`, 'g')

/** The tables that a source writes, by SQL or by the query builder. */
export function writtenTables(text: string): string[] {
  const found = [...text.matchAll(inSql), ...text.matchAll(withBuilder)].map((match) => match[1] ?? '')
  return [...new Set(found)].filter((table) => table in tableOwners)
}

/** Files that write a table of another folder. */
export function foreignWrites(sources: readonly Source[]): Violation[] {
  return serverSources(sources).flatMap(({ file, local, text }) =>
    writtenTables(text).flatMap((table) => {
      const owners = [tableOwners[table] ?? []].flat()
      if (owners.some((owner) => local.startsWith(owner)) || foreignWriters[local]?.[table] !== undefined) return []
      return [
        `${file} writes ${table}, which belongs to ${owners.join(' and ')}: call a function of its owner ` +
          '(test/table-owners.ts)',
      ]
    }),
  )
}

/** Exceptions in test/table-owners.ts that no file needs any more. */
export function needlessExceptions(sources: readonly Source[]): Violation[] {
  const written = new Map(serverSources(sources).map(({ local, text }) => [local, writtenTables(text)]))
  return Object.entries(foreignWriters).flatMap(([local, tables]) =>
    Object.keys(tables)
      .filter((table) => !written.get(local)?.includes(table))
      .map(
        (table) => `packages/server/src/${local} does not write ${table}: remove the exception (test/table-owners.ts)`,
      ),
  )
}

/** Tables without an owner, and owners without a table. */
export function unownedTables(sources: readonly Source[]): Violation[] {
  return sources
    .filter(({ pack, local }) => pack === 'server' && local === 'platform/db/tables.ts')
    .flatMap(({ text }) => {
      const tables = [...text.matchAll(/^ {4}(\w+): Table</gm)].map((match) => match[1] ?? '')
      return [
        ...tables.filter((table) => !(table in tableOwners)).map((table) => `${table} has no owner`),
        ...Object.keys(tableOwners)
          .filter((table) => !tables.includes(table))
          .map((table) => `${table} has an owner, but is no table`),
      ].map((problem) => `packages/server/src/platform/db/tables.ts: ${problem} (test/table-owners.ts)`)
    })
}

function serverSources(sources: readonly Source[]): readonly Source[] {
  return sources.filter(({ pack, forTests }) => pack === 'server' && !forTests)
}
