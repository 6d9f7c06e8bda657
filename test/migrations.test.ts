import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const folder = path.resolve(import.meta.dirname, '../packages/server/src/platform/db/migrations')

/** Migrations that databases have applied, with the SHA-256 of their bytes. */
const frozen: Readonly<Record<string, string>> = {
  '0001-baseline.sql': '24cddf5eba10f430e5aaaead1903350fe917298da91bb3c662f8de81512c5431',
  '0002-texts-by-time.sql': '3673c39ac6c1df8bdae82e9861a4cad7858ab318129f1fbd60cdcc29c263d4de',
}

/** Returns what is wrong with the files of the migrations. */
function changedMigrations(files: Readonly<Record<string, Uint8Array>>): string[] {
  return Object.entries(frozen).flatMap(([name, sum]) => {
    const bytes = files[name]
    const found = bytes && createHash('sha256').update(bytes).digest('hex')
    return found === sum ? [] : [`${name} is not what databases have applied. Released: add a migration instead`]
  })
}

describe('migrations', () => {
  const files = Object.fromEntries(
    readdirSync(folder)
      .filter((name) => name.endsWith('.sql'))
      .map((name) => [name, readFileSync(path.join(folder, name))]),
  )

  it('keep the bytes that databases have applied', () => {
    expect(changedMigrations(files)).toEqual([])
  })

  it('may not change by a character, nor go', () => {
    const { '0001-baseline.sql': baseline = new Uint8Array(), ...others } = files
    const refused = ['0001-baseline.sql is not what databases have applied. Released: add a migration instead']
    expect(changedMigrations({ ...files, '0001-baseline.sql': Buffer.concat([baseline, Buffer.from('\n')]) })).toEqual(
      refused,
    )
    expect(changedMigrations(others)).toEqual(refused)
  })
})
