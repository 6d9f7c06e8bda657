import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const sourceFolder = path.join(import.meta.dirname, '../..')

/** The files that own service time, and the one that reads the machine's clock by decision. */
const owners = new Set([
  'platform/db/clock.ts',
  // An id begins with the time of the machine, as its library would choose. What compares it allows for a day.
  'platform/db/new-id.ts',
  // It defines service_now(), and the table of a library that keeps its own time.
  'platform/db/migrations/0001-baseline.sql',
  // Agenda keeps the machine's time, which is compared with the database's.
  'process/job-store.ts',
  // The clock of the machine is compared with the database's before a start.
  'process/check/clock-store.ts',
  // Receivers compare a signature's time with their own clock, so a moved service clock must not reach it.
  'events/webhook/signing/signature.ts',
  'billing/payments/sdk/event.ts',
  'billing/payments/simulator/deliver.ts',
  // Hosts on this machine stamp their trace with its clock.
  'process/check/phones/trace-file.ts',
  // The age of a folder on the disk is that of the clock of the machine.
  'fixture/data-folder.ts',
  // It offers tests of applications a method of this name, which reads the clock of the service.
  'fixture/connected-service.ts',
  // An authenticator on a phone follows the machine's time, never a moved one.
  'people/auth/two-factor/machine-clock.ts',
])

/** Ways to read the time from the database or the machine. `clock.now()` and `service_now()` are not among them. */
const bareClocks = [
  /(?<![.\w])now\(\)/i,
  /\b(?:clock|statement|transaction)_timestamp\b/i,
  /\bcurrent_(?:timestamp|date|time)\b/i,
  /\blocal(?:timestamp|time)\b/i,
  /\btimeofday\b/i,
  /'(?:now|today|tomorrow|yesterday)'\s*::/i,
  /\bDate\.now\b/,
  /\bnew Date\(\s*\)/,
  /\bnew Date\b(?!\()/,
  /(?<!new )\bDate\(\)/,
]

/** The code without its block comments and whole-line comments, which may speak of clocks; line numbers stay. */
function withoutComments(source: string): string {
  return source
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ''))
    .replace(/^\s*(?:\/\/|--).*$/gm, '')
}

function bareClocksIn(source: string): string[] {
  const lines = withoutComments(source).split('\n')
  return lines.flatMap((line, at) =>
    bareClocks.some((clock) => clock.test(line)) ? [`${at + 1}: ${line.trim()}`] : [],
  )
}

function sourceFiles(): string[] {
  return readdirSync(sourceFolder, { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      /\.(?:ts|sql)$/.test(file) &&
      !/\.test(?:-d)?\.ts$/.test(file) &&
      !file.startsWith('testing') &&
      !/(?:^|[\\/])schema\.sql$/.test(file),
  )
}

describe('service time', () => {
  it('is read from the injected clock or service_now() everywhere in the server', () => {
    const files = sourceFiles()
    expect(files.length).toBeGreaterThan(60)
    expect(files).toEqual(
      expect.arrayContaining(['platform/db/clock.ts', 'platform/db/migrations/0001-baseline.sql', 'platform/db/db.ts']),
    )
    const found = files
      .filter((file) => !owners.has(file.split(path.sep).join('/')))
      .flatMap((file) =>
        bareClocksIn(readFileSync(path.join(sourceFolder, file), 'utf8')).map((place) => `${file}:${place}`),
      )
    expect(found).toEqual([])
  })

  it.each([
    'update lanes set next_claim_at = now()',
    'created_at timestamptz default NOW()',
    'select clock_timestamp()',
    'select statement_timestamp()',
    'select transaction_timestamp()',
    'where at < current_timestamp',
    'where day = CURRENT_DATE',
    'select localtimestamp',
    "select 'now'::timestamptz",
    'const at = Date.now()',
    'const read = Date.now',
    'const at = new Date()',
    'const at = new Date',
    'const text = Date()',
  ])('would notice %s', (line) => {
    expect(bareClocksIn(line)).toHaveLength(1)
  })

  it.each([
    'const at = clock.now()',
    'update lanes set next_claim_at = service_now()',
    'const at = new Date(row.at)',
    'const start = performance.now()',
    '// no bare now() here',
    '/** Never Date.now() */',
    'const at: Date = row.at',
  ])('lets %s pass', (line) => {
    expect(bareClocksIn(line)).toEqual([])
  })
})
