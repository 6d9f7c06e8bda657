import { describe, expect, it } from 'vitest'
import type { Host } from '../host.ts'
import { type Situation, testMachine } from '../testing/machine.ts'
import type { Column } from './columns.ts'
import { createPrinter as makePrinter, type OutputFormat, type Printer, type PrintOptions } from './print.ts'
import { sanitizeJson, sanitizeLine, sanitizeText, shortened } from './sanitize.ts'

const columns: readonly Column[] = [
  { field: 'id', title: 'Id' },
  { field: 'text', title: 'Text', long: true },
  { field: 'at.first', title: 'First' },
  { field: 'tags', title: 'Tags' },
]
const rows = [
  { id: 1, text: 'plain', at: { first: '2026-11-01T08:00:00.123Z' }, tags: ['a', 'b'], extra: true },
  { id: 2, text: 'with "quotes", commas\nand lines', at: { first: null }, tags: [] },
]

/** A printer of a command; by default the command has changed nothing. */
function printerOf(host: Host, options: Pick<PrintOptions, 'format' | 'fields'> & Partial<PrintOptions>): Printer {
  const warn = (text: string) => void host.stderr.write(`${text}\n`)
  return makePrinter(host, {
    changed: () => false,
    warn,
    note: () => {},
    isFormatGiven: true,
    utc: false,
    jq: undefined,
    ...options,
  })
}

async function printed(format: OutputFormat, fields?: readonly string[], situation?: Situation): Promise<string> {
  const world = testMachine().world(situation)
  await printerOf(world, { format, fields }).list(rows, columns)
  return world.written.stdout
}

describe('rows in every format', () => {
  it('draws a table without colours where there is no terminal', async () => {
    expect(await printed('table')).toBe(
      [
        'ID  TEXT                             FIRST                 TAGS',
        '1   plain                            2026-11-01 08:00:00Z  a, b',
        '2   with "quotes", commas and lines  -                     -',
        '',
      ].join('\n'),
    )
  })

  it('gives programs the rows as they are', async () => {
    expect(JSON.parse(await printed('json'))).toEqual(rows)
    const lines = (await printed('ndjson')).trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual(rows)
  })

  it('quotes CSV by RFC 4180 and keeps the bare values', async () => {
    expect(await printed('csv')).toBe(
      'id,text,at.first,tags\n1,plain,2026-11-01T08:00:00.123Z,"a,b"\n2,"with ""quotes"", commas\nand lines",,\n',
    )
  })

  it('names the columns of CSV once, also of rows that do not end', async () => {
    const world = testMachine().world()
    const printer = printerOf(world, { format: 'csv', fields: ['id', 'tags'] })
    for (const row of rows) await printer.follow(row, columns, () => 'a line for people')
    expect(world.written.stdout).toBe('id,tags\n1,"a,b"\n2,\n')
  })

  it('divides plain values by tabs, one row on one line', async () => {
    expect(await printed('plain')).toBe(
      '1\tplain\t2026-11-01T08:00:00.123Z\ta,b\n2\twith "quotes", commas and lines\t\t\n',
    )
  })

  it('picks fields in every format, also those that no table shows', async () => {
    expect(JSON.parse(await printed('json', ['id', 'at.first']))).toEqual([
      { id: 1, 'at.first': '2026-11-01T08:00:00.123Z' },
      { id: 2, 'at.first': null },
    ])
    expect(await printed('plain', ['extra', 'id'])).toBe('true\t1\n\t2\n')
    expect(await printed('table', ['id', 'extra'])).toBe('ID  EXTRA\n1   yes\n2   -\n')
  })

  it.each(['table', 'json', 'ndjson', 'csv', 'plain'] as const)(
    'refuses a field that is not there in %s, names those that are and prints nothing',
    async (format) => {
      const world = testMachine().world()
      const list = printerOf(world, { format, fields: ['id', 'colour'] }).list(rows, columns)
      const advice = 'Available fields: id, text, at, tags, extra.'
      await expect(list).rejects.toMatchObject({ message: 'Unknown field colour.', advice })
      expect(world.written.stdout).toBe('')
    },
  )

  it.each(['json', 'ndjson', 'csv', 'plain'] as const)(
    'takes a field that only a later row has, in %s',
    async (format) => {
      const world = testMachine().world()
      await printerOf(world, { format, fields: ['extra'] }).list([...rows].reverse(), columns)
      expect(world.written.stdout).toContain('true')
    },
  )

  it('takes a field that a column names, also when no row has it', async () => {
    const optional: readonly Column[] = [...columns, { field: 'lid', title: 'Network id', onRequest: true }]
    const world = testMachine().world()
    await printerOf(world, { format: 'csv', fields: ['id', 'lid'] }).list(rows, optional)
    await printerOf(world, { format: 'csv', fields: undefined }).list(rows.slice(0, 1), optional)
    expect(world.written.stdout).toMatch(/^id,lid\n1,\n2,\nid,text,at\.first,tags\n/)
  })

  it('searches one page of a stream for a field, not all of it', async () => {
    let read = 0
    async function* endless() {
      for (; ; read += 1) yield { id: read }
    }
    const world = testMachine().world()
    const list = printerOf(world, { format: 'ndjson', fields: ['colour'] }).list(endless(), columns)
    await expect(list).rejects.toThrow('Unknown field colour.')
    expect(read).toBeLessThanOrEqual(100)
  })

  it('prints nothing for an empty table, and an empty list for programs', async () => {
    const world = testMachine().world()
    await printerOf(world, { format: 'table', fields: undefined }).list([], columns)
    await printerOf(world, { format: 'json', fields: undefined }).list([], columns)
    expect(world.written.stdout).toBe('[]\n')
  })
})

describe('a terminal', () => {
  const red = '\u001b[31mfailed\u001b[39m'
  const status = [{ field: 'status', title: 'Status' }]

  async function record(env: Readonly<Record<string, string>>, terminal = true): Promise<string> {
    const world = testMachine().world({ terminal, env })
    await printerOf(world, { format: 'table', fields: undefined }).record({ status: 'failed' }, status)
    return world.written.stdout
  }

  it('gets colours', async () => {
    expect(await record({ TERM: 'xterm' })).toContain(red)
  })

  it.each([{ NO_COLOR: '1' }, { TERM: 'dumb' }])('gets none with %o', async (env) => {
    expect(await record(env)).toBe('Status  failed\n')
  })

  it('is not assumed behind a pipe', async () => {
    expect(await record({}, false)).toBe('Status  failed\n')
  })

  it('sees long text cut, a file gets all of it', async () => {
    const long = [{ text: 'x'.repeat(200) }]
    for (const terminal of [true, false]) {
      const world = testMachine().world({ terminal, env: { NO_COLOR: '1' } })
      await printerOf(world, { format: 'table', fields: undefined }).list(long, [
        { field: 'text', title: 'Text', long: true },
      ])
      expect(world.written.stdout.includes('…')).toBe(terminal)
    }
  })

  it.each(['table', 'json', 'ndjson', 'csv', 'plain'] as const)(
    'sees no control character of the data in %s',
    async (format) => {
      const world = testMachine().world({ terminal: true, env: { NO_COLOR: '1' } })
      const text = 'a\u001b]0;title\u0007\u001b[2Jb\u0000\u009b31mc\u202ed\u2066\u007f'
      await printerOf(world, { format, fields: undefined }).list([{ text }], [{ field: 'text', title: 'Text' }])
      const seen = world.written.stdout.replaceAll('\n', '')
      expect(seen).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
      if (format === 'json') expect(JSON.parse(world.written.stdout)).toEqual([{ text }])
    },
  )
})

describe('text for a terminal', () => {
  it('loses whole escape sequences, and keeps lines, tabs and every script', () => {
    expect(sanitizeText('\u001b[31mred\u001b[0m\n\tгруппа 群 🎉')).toBe('red\n\tгруппа 群 🎉')
    expect(sanitizeLine('one\r\ntwo\u2028three')).toBe('one two three')
  })

  it('is escaped in JSON without changing the value', () => {
    const value = { text: '\u009b\u202e\ufeff\u007f' }
    const json = sanitizeJson(JSON.stringify(value, null, 2))
    expect(json).not.toMatch(/[\u007f-\u009f\u202e\ufeff]/)
    expect(JSON.parse(json)).toEqual(value)
  })

  it('is cut between characters, not inside of one', () => {
    expect(shortened('🎉🎉🎉', 3)).toBe('🎉…')
    expect(shortened('日本語', 6)).toBe('日本語')
    expect(shortened('日本語', 5)).toBe('日本…')
    expect(shortened('ab', 2)).toBe('ab')
  })
})
