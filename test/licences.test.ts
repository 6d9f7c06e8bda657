import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
// @ts-expect-error: a script, whose types this project does not read.
import * as licenses from '../tools/scripts/licenses.mjs'

const root = path.dirname(import.meta.dirname)
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const licenseTexts: (modules: string[]) => string = licenses.licenseTexts

/** What is written beside each bundle, with some of the libraries in it. */
const built = {
  'packages/server/dist/bundle/third-party-licenses.txt': ['koa', 'knex', 'pg-types', 'prom-client', 'zod'],
  'packages/cli/dist/bundle/third-party-licenses.txt': ['commander', '@clack/prompts', 'csv-parse'],
  'packages/console/dist/site/licenses.txt': [
    'preact',
    'preact-iso',
    '@tanstack/query-core',
    'lucide-preact',
    'd3-dsv',
  ],
}

/** The packages of a file of texts: each text begins with the name, the version and the licence. */
function entries(file: string) {
  return read(file)
    .split(`\n${'-'.repeat(80)}\n\n`)
    .map((text) => {
      const [head = '', , ...lines] = text.split('\n')
      const [, name = '', license = ''] = /^(\S+) \S+ \((.*)\)$/.exec(head) ?? []
      return { name, license, text: lines.join('\n') }
    })
}

/** Makes a package with a module. Returns the path of the module. */
function packageWith(manifest: object, files: Record<string, string> = {}): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'msgctl-licences-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const own = path.join(folder, 'node_modules/lib')
  mkdirSync(own, { recursive: true })
  writeFileSync(path.join(own, 'package.json'), JSON.stringify({ name: 'lib', version: '1.2.3', ...manifest }))
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(own, name), text)
  return path.join(own, 'index.js')
}

describe('the licences of what is passed on', () => {
  it.each(Object.entries(built))('have their texts in %s', (file, some) => {
    const found = entries(file)
    expect(found.map(({ name }) => name)).toEqual(expect.arrayContaining(some))
    for (const { name, text } of found) {
      expect(text, name).toMatch(/permission|licensed under|apache license|redistribution/i)
      expect(text, name).not.toContain(root)
    }
  })

  it('are those that docs/run/licences.md lists', () => {
    const found = new Set(Object.keys(built).flatMap((file) => entries(file).map(({ license }) => license)))
    const [, listed = ''] = /are under (.*?)\.\s/s.exec(read('docs/run/licences.md')) ?? []
    expect(listed.match(/[A-Z][\w.-]+/g)?.sort()).toEqual([...found].sort())
  })

  it.each([
    ['its text', { license: 'MIT' }, {}, 'lib 1.2.3 has no licence text, which must be passed on with it.'],
    ['a licence', {}, { LICENSE: 'Mine.' }, 'lib 1.2.3: its licence, undefined, is not allowed to be passed on.'],
    [
      'a free licence',
      { license: 'GPL-3.0-only' },
      { LICENSE: 'GNU GENERAL PUBLIC LICENSE' },
      'lib 1.2.3: its licence, GPL-3.0-only, is not allowed to be passed on.',
    ],
  ])('stop the build of a bundle with a package without %s', (_, manifest, files, message) => {
    expect(() => licenseTexts([packageWith(manifest, files)])).toThrow(message)
  })

  it('are taken from a README, with the notices that belong to them', () => {
    const readme = '# lib\n\n## License\n\nCopyright (c) Ada\n\nPermission is hereby granted, free of charge'
    const text = licenseTexts([packageWith({ license: 'MIT' }, { 'README.md': readme })])
    expect(text).toMatch(/^lib 1\.2\.3 \(MIT\)\n\nCopyright \(c\) Ada\n\nPermission is hereby granted/)
    const files = { LICENSE: 'Apache License', NOTICE: 'Contains parts of Ada.' }
    const module = packageWith({ license: '(GPL-3.0-only OR Apache-2.0)' }, files)
    expect(licenseTexts([module])).toContain('Apache License\n\nContains parts of Ada.')
  })
})
