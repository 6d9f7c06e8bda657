import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { NumberTrace, TraceFolder } from './trace-folder.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'trace-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const linesOf = (file: string) =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
const log = () => {
  const events: unknown[] = []
  return { events, info: () => undefined, warn: (fields: object) => void events.push(fields) }
}

it('keeps a file for each number, which only the user of the host can read', () => {
  const traces = new TraceFolder(path.join(folder, 'made', 'deep'), log())
  traces.of('one').connecting()
  traces.of('one').write('in', { tag: 'ib', attrs: { from: 's.whatsapp.net' } })
  traces.of('two').write('out', { tag: 'presence', attrs: { type: 'unavailable', name: 'Jane' } })
  const files = path.join(folder, 'made', 'deep')
  expect(readdirSync(files).sort()).toEqual(['one.jsonl', 'two.jsonl'])
  expect(linesOf(path.join(files, 'one.jsonl'))).toEqual([
    { at: expect.any(String), connects: true },
    { at: expect.any(String), way: 'in', tag: 'ib', attrs: { from: 's.whatsapp.net' } },
  ])
  expect(statSync(path.join(files, 'two.jsonl')).mode & 0o077).toBe(0)
})

it('never grows beyond two files, and says in which one the beginning is', () => {
  const file = path.join(folder, 'full.jsonl')
  const trace = new NumberTrace(file, () => undefined, 1000)
  for (let count = 0; count < 200; count++) trace.write('in', { tag: 'ack', attrs: { id: `MESSAGE${count}` } })
  const files = readdirSync(folder).filter((name) => name.startsWith('full'))
  expect(files.sort()).toEqual(['full.before.jsonl', 'full.jsonl'])
  for (const name of files) expect(statSync(path.join(folder, name)).size).toBeLessThanOrEqual(1000)
  expect(linesOf(file)[0]).toEqual({ at: expect.any(String), continues: 'full.before.jsonl' })
  expect(linesOf(file).at(-1)).toMatchObject({ attrs: { id: 'id#200' } })
})

it('ends without harm when it cannot be written, and says so once', () => {
  const lines = log()
  const traces = new TraceFolder(path.join(folder, 'gone'), lines)
  rmSync(path.join(folder, 'gone'), { recursive: true })
  for (let count = 0; count < 3; count++) traces.of('one').write('in', { tag: 'ib', attrs: {} })
  expect(lines.events).toEqual([expect.objectContaining({ event: 'trace_ended', containerId: 'one' })])
  const taken = path.join(folder, 'taken')
  writeFileSync(taken, '')
  expect(() => new TraceFolder(taken, lines)).toThrow()
})
