import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** One file of SQL: `0001-baseline` and its text. */
export interface Migration {
  readonly name: string
  readonly sql: string
}

/**
 * The SQL files are neither compiled nor copied: the sources and the compiled modules both read them in src, which is
 * as far from one as from the other. The bundle contains their text instead (scripts/bundle.mjs).
 */
const folder = path.join(import.meta.dirname, '../../../../src/platform/db/migrations')

/** All migrations, in the order of their numbers. */
export const migrations: readonly Migration[] = readdirSync(folder)
  .filter((file) => file.endsWith('.sql'))
  .sort()
  .map((file) => ({ name: path.basename(file, '.sql'), sql: readFileSync(path.join(folder, file), 'utf8') }))
