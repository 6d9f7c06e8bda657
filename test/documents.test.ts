import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { eventKinds } from '@msgctl/contract'
import { errorTable } from '@msgctl/contract/error-table'
import { describe, expect, it } from 'vitest'
// @ts-expect-error: a script, whose types this project does not read.
import { proofs, proofsTable } from '../tools/proofs/proofs.mjs'
// @ts-expect-error: a script, whose types this project does not read.
import { terminalSvg } from '../tools/scripts/terminal-svg.mjs'
import { anchors, deadLinks } from './links.ts'
import { readSources } from './sources.ts'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const inGit = ['ls-files', '--cached', '--others', '--exclude-standard', '-z', '*.md']
const documents = execFileSync('git', inGit, { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter((file) => file !== '' && existsSync(path.join(root, file)))

describe('the guide to events', () => {
  it.each(eventKinds)('names %s', (kind) => {
    expect(read('docs/use/guides/events.md')).toContain(`\`${kind}\``)
  })
})

describe('links between documents', () => {
  it('finds the documents', () => {
    expect(documents).toEqual(expect.arrayContaining(['README.md', 'ARCHITECTURE.md', 'docs/index.md']))
  })

  it.each(documents)('lead somewhere: %s', (file) => {
    expect(deadLinks(file, read(file), { exists: (name) => existsSync(path.join(root, name)), read })).toEqual([])
  })

  it('finds dead links and dead anchors', () => {
    const files: Record<string, string> = { 'docs/b.md': '# One heading: `code` & more\n' }
    const disk = { exists: (name: string) => name in files, read: (name: string) => files[name] ?? '' }
    const text =
      '[a](b.md) [b](b.md#one-heading-code--more) [c](b.md#two) [d](c.md) ![e](../e.svg) [f](https://a.example/b)'
    expect(deadLinks('docs/a.md', text, disk)).toEqual(['b.md#two', 'c.md', '../e.svg'])
  })

  it('counts headings that are repeated', () => {
    expect(anchors('# A b\n```\n# no heading\n```\n## A b\n')).toEqual(['a-b', 'a-b-1'])
  })
})

describe('files that documents name', () => {
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0')
  const paths = /`([\w/-]+(?:\.[\w-]+)*\.(?:ts|mjs|sql|session))`/g

  it.each(documents)('exist: %s', (file) => {
    const names = [...read(file).matchAll(paths)].map(([, name = '']) => name)
    const isThere = (name: string) => tracked.some((path) => `/${path}`.endsWith(`/${name}`))
    expect(names.filter((name) => !isThere(name))).toEqual([])
  })
})

/** Returns the folders that the tree in ARCHITECTURE.md names below packages/server/src, such as `sending/messages`. */
function foldersInTree(text: string): string[] {
  const [, tree = ''] = text.split(/^ {2}server\/src\/ .*$/m)
  const folders: string[] = []
  let parent = ''
  for (const line of tree.split('\n').slice(1)) {
    const [, indent = '', names = ''] = line.match(/^( {4}| {6})((?:[a-z-]+\/ ?)+)/) ?? []
    if (indent === '') break
    const found = names.trim().replaceAll('/', '').split(' ')
    if (indent.length === 4) parent = found[0] ?? ''
    folders.push(...(indent.length === 4 ? found : found.map((name) => `${parent}/${name}`)))
  }
  return folders
}

describe('the tree in ARCHITECTURE.md', () => {
  it('names every room of packages/server/src once, with its folders', () => {
    const entries = readdirSync(path.join(root, 'packages/server/src'), { recursive: true, withFileTypes: true })
    const source = path.join(root, 'packages/server/src')
    const folders = entries
      .filter((entry) => entry.isDirectory())
      .map((entry) => path.relative(source, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
      .filter((folder) => folder.split('/').length <= 2)
    expect(foldersInTree(read('ARCHITECTURE.md')).sort()).toEqual(folders.sort())
  })

  it('is read with its levels', () => {
    const text = '  server/src/   x\n    a/ b/   x\n    c/      x\n      d/ e/   x\n  client/   x\n    f/'
    expect(foldersInTree(text)).toEqual(['a', 'b', 'c', 'c/d', 'c/e'])
  })
})

describe('docs/index.md', () => {
  it('lists every page of docs/', () => {
    const index = read('docs/index.md')
    const pages = documents.filter((file) => /^docs\/[a-z]+\/[a-z-]+\.md$/i.test(file))
    for (const page of pages) expect(index).toContain(`](${page.slice('docs/'.length)})`)
  })

  it('has a line for every decision in docs/build/decisions/README.md', () => {
    const index = read('docs/build/decisions/README.md')
    const records = documents.filter((file) => /^docs\/[\w/]+\/\d{4}-/.test(file)).map((file) => path.basename(file))
    const listed = [...index.matchAll(/^\| \[\d{4}\]\(([^)]+)\) \| /gm)].map(([, file = '']) => path.basename(file))
    expect(listed).toEqual(records.sort())
  })
})

describe('docs/build/testing.md', () => {
  it('has the table of the proofs; npm run generate writes it', () => {
    expect(read('docs/build/testing.md')).toContain(`<!-- proofs -->\n${proofsTable()}\n<!-- end -->`)
  })

  it('names files of tests that exist', () => {
    const files = (proofs as { files?: string[]; script?: string }[]).flatMap(({ files = [], script = [] }) =>
      files.concat(script),
    )
    expect(files.filter((file) => !existsSync(path.join(root, file)))).toEqual([])
  })
})

describe('docs/images/terminal.svg', () => {
  it('shows the recorded session; node tools/scripts/terminal-svg.mjs draws it', () => {
    expect(read('docs/images/terminal.svg')).toBe(terminalSvg(read('docs/images/terminal.txt')))
  })
})

describe('docs/build/not-yet.md', () => {
  it('lists exactly the error codes that no source of the server names', () => {
    const product = readSources(root).filter(({ pack, forTests }) => pack === 'server' && !forTests)
    const text = product.map((source) => source.text).join('\n')
    const unused = Object.keys(errorTable).filter((code) => !text.includes(`'${code}'`))
    const [, section = ''] = read('docs/build/not-yet.md').split('## Error codes that are never returned')
    const rows = section.split('\n').filter((line) => line.startsWith('|'))
    const listed = rows.flatMap((row) => row.match(/\b[A-Z]+(?:_[A-Z]+)+\b/g) ?? [])
    expect(listed.sort()).toEqual(unused.sort())
  })
})
