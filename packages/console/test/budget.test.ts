import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const site = path.join(import.meta.dirname, '../dist/site')

interface Chunk {
  readonly file: string
  readonly isEntry?: boolean
  readonly isDynamicEntry?: boolean
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}

const manifest: Record<string, Chunk> = JSON.parse(readFileSync(path.join(site, '.vite/manifest.json'), 'utf8'))

/** The size of a file as it is sent to browsers that take gzip, in kB of 1,000 bytes. */
function packedSize(file: string): number {
  const packed = path.join(site, `${file}.gz`)
  return statSync(existsSync(packed) ? packed : path.join(site, file)).size / 1000
}

/** Returns the files that a chunk needs: its own and those of its static imports. */
function filesOf(name: string, seen = new Set<string>()): Set<string> {
  const chunk = manifest[name]
  if (!chunk || seen.has(chunk.file)) return seen
  seen.add(chunk.file)
  for (const style of chunk.css ?? []) seen.add(style)
  for (const imported of chunk.imports ?? []) filesOf(imported, seen)
  return seen
}

function sum(files: Iterable<string>): number {
  return [...files].reduce((total, file) => total + packedSize(file), 0)
}

const entries = Object.entries(manifest)
const entry = entries.find(([, { isEntry }]) => isEntry)?.[0] ?? ''
const first = new Set([...filesOf(entry), ...filesOf('src/overview/home.tsx')])

describe('the budget of the console, in kB gzip', () => {
  it('is at most 75 for what every page needs, with the start page', () => {
    expect(first.size).toBeGreaterThan(3)
    expect(sum(first)).toBeLessThan(75)
  })

  it.each(entries.filter(([, { isDynamicEntry }]) => isDynamicEntry).map(([name]) => name))(
    'is at most 15 for what %s adds',
    (name) => {
      const own = [...filesOf(name)].filter((file) => !first.has(file))
      expect(sum(own)).toBeLessThan(15)
    },
  )

  it('is at most 160 for everything', () => {
    const files = readdirSync(path.join(site, 'assets')).filter((name) => /\.(?:js|css)$/.test(name))
    expect(files.length).toBeGreaterThan(10)
    expect(sum(files.map((name) => `assets/${name}`))).toBeLessThan(160)
  })

  it('buys no schemas: neither zod nor the contract itself is in any file', () => {
    const files = readdirSync(path.join(site, 'assets')).filter((name) => name.endsWith('.js'))
    for (const name of files) {
      expect(readFileSync(path.join(site, 'assets', name), 'utf8')).not.toMatch(/ZodType|_zod|zod-to-openapi/)
    }
  })
})
