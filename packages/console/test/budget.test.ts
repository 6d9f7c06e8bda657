import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const site = path.join(import.meta.dirname, '../dist/site')
const pages = path.join(import.meta.dirname, '../dist/pages')

interface Chunk {
  readonly file: string
  readonly isEntry?: boolean
  readonly isDynamicEntry?: boolean
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}

type Manifest = Readonly<Record<string, Chunk>>

const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(path.join(folder, '.vite/manifest.json'), 'utf8'))
const manifest = readManifest(site)

/** The size of a file as it is sent to browsers that take gzip, in kB of 1,000 bytes. */
function packedSize(file: string, folder = site): number {
  const packed = path.join(folder, `${file}.gz`)
  return statSync(existsSync(packed) ? packed : path.join(folder, file)).size / 1000
}

/** Returns the files that a chunk needs: its own and those of its static imports. */
function filesOf(name: string, seen = new Set<string>(), chunks = manifest): Set<string> {
  const chunk = chunks[name]
  if (!chunk || seen.has(chunk.file)) return seen
  seen.add(chunk.file)
  for (const style of chunk.css ?? []) seen.add(style)
  for (const imported of chunk.imports ?? []) filesOf(imported, seen, chunks)
  return seen
}

function sum(files: Iterable<string>, folder = site): number {
  return [...files].reduce((total, file) => total + packedSize(file, folder), 0)
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

  it('is at most 172 for everything', () => {
    const files = readdirSync(path.join(site, 'assets')).filter((name) => /\.(?:js|css)$/.test(name))
    expect(files.length).toBeGreaterThan(10)
    expect(sum(files.map((name) => `assets/${name}`))).toBeLessThan(172)
  })

  it('is at most 60 for the pages that links open, without the rest of the console', () => {
    const files = filesOf('pages.html', new Set(), readManifest(pages))
    expect(files.size).toBeGreaterThan(1)
    expect(sum(files, pages)).toBeLessThan(60)
  })

  it.each([site, pages])('buys no schemas: neither zod nor the contract itself is in any file, in %s', (folder) => {
    const files = readdirSync(path.join(folder, 'assets')).filter((name) => name.endsWith('.js'))
    for (const name of files) {
      expect(readFileSync(path.join(folder, 'assets', name), 'utf8')).not.toMatch(/ZodType|_zod|zod-to-openapi/)
    }
  })
})
