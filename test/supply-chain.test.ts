import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { families } from './lockfiles.ts'

const root = path.dirname(import.meta.dirname)
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n')
const lockfiles = tracked.filter((file) => path.basename(file) === 'pnpm-lock.yaml')
const settings = ['minimumReleaseAge: 4320', 'trustPolicy: no-downgrade', 'blockExoticSubdeps: true']

describe('the lockfiles', () => {
  it('have each native program for Linux, macOS and Windows', () => {
    const found = lockfiles.flatMap((file) => families(read(file)).map((family) => ({ file, ...family })))
    expect(found.map(({ name }) => name.replace(/@[^@]+$/, ''))).toEqual(
      expect.arrayContaining(['@biomejs/biome', '@node-rs/argon2', 'esbuild', 'pnpm', 'rollup', 'turbo', 'typescript']),
    )
    expect(found.filter(({ missing }) => missing.length > 0)).toEqual([])
  })

  it('would be refused without the programs for one system', () => {
    const without = read('pnpm-lock.yaml').replaceAll(/^ {6}'@pnpm\/exe\.(?:darwin-\w+|linux-x64-musl)': .*\n/gm, '')
    expect(families(without).filter(({ missing }) => missing.length > 0)).toEqual([
      { name: expect.stringMatching(/^pnpm@/), missing: ['linux x64 musl', 'darwin x64', 'darwin arm64'] },
    ])
  })

  it('are there for every folder that installs packages, and Dependabot knows each', () => {
    const workspace = /^(?:packages\/|test\/openapi\/|examples\/)/
    const folders = tracked
      .filter((file) => path.basename(file) === 'package.json' && !workspace.test(file))
      .map((file) => path.posix.dirname(file))
    expect(folders.length).toBeGreaterThan(7)
    const [, known = ''] = /package-ecosystem: npm\n {4}directories:\n((?: {6}.*\n)*)/.exec(read(dependabot)) ?? []
    for (const folder of folders) {
      const own = readdirSync(path.join(root, folder))
      expect(own, folder).toEqual(expect.arrayContaining([expect.stringMatching(/^(?:pnpm-lock\.yaml|package-lock)/)]))
      expect(known).toContain(`      - ${path.posix.join('/', folder)}\n`)
    }
  })

  it('take nothing but what the registry has, by its hash', () => {
    for (const file of lockfiles) {
      const resolutions = [...read(file).matchAll(/^ {4}resolution: (.*)$/gm)]
      expect(resolutions.length, file).toBeGreaterThan(10)
      for (const [, resolution] of resolutions) expect(resolution).toMatch(/^\{integrity: sha512-[\w+/=]+\}$/)
    }
    for (const file of tracked.filter((each) => path.basename(each) === 'package-lock.json')) {
      const { packages } = JSON.parse(read(file)) as { packages: Record<string, { integrity?: string }> }
      for (const [name, { integrity }] of Object.entries(packages).filter(([each]) => each !== ''))
        expect(integrity, `${file}: ${name}`).toMatch(/^sha512-/)
    }
  })

  it('are written under the same rules about releases', () => {
    for (const file of lockfiles) {
      const lines = read(path.posix.join(path.posix.dirname(file), 'pnpm-workspace.yaml')).split('\n')
      expect(lines, file).toEqual(expect.arrayContaining(settings))
    }
  })
})

const dependabot = '.github/dependabot.yml'
const workflows = tracked.filter((file) => file.startsWith('.github/workflows/'))

describe('the workflows', () => {
  it('name every action by a commit, with its version', () => {
    const uses = workflows.flatMap((file) =>
      [...read(file).matchAll(/^ *(?:- )?uses: (.*)$/gm)].map(([, what]) => what),
    )
    expect(uses.length).toBeGreaterThan(5)
    for (const what of uses) expect(what).toMatch(/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  })

  it('say what they may write', () => {
    for (const file of workflows) expect(read(file), file).toMatch(/^permissions:\n {2}contents: read$/m)
  })

  it('run the tests on every line of Node that is promised', () => {
    expect(existsSync(path.join(root, '.nvmrc'))).toBe(true)
    expect(read('.nvmrc').trim()).toBe('24')
    expect(read('.github/workflows/ci.yml')).toContain('node: [20, 22, 24, 26]')
    expect(read('deploy/Dockerfile')).toMatch(/node:24-/)
  })
})

describe('docs/build/node.md', () => {
  const page = read('docs/build/node.md')
  const listed = (part: RegExp) => [...page.matchAll(part)].map(([, name = '', version = '']) => [name, version])

  it('lists every place that is there for Node 20', () => {
    const sources = tracked.filter((file) => /^(?:packages|gateway-host|tools|deploy)\/.*\.m?[jt]sx?$/.test(file))
    const places = sources.filter((file) => /\bNode(?:\.js)? 20\b/.test(read(file)))
    expect(places.length).toBeGreaterThan(3)
    expect(
      listed(/^\| `(\S+\.m?ts|\S+\.mjs)` \|/gm)
        .map(([file]) => file)
        .sort(),
    ).toEqual(places.sort())
  })

  it('lists the libraries in the version that is installed', () => {
    const libraries = listed(/^\| (@?[a-z][\w/-]+) \| (\d+\.\d+\.\d+) \|/gm)
    expect(libraries.length).toBeGreaterThan(5)
    const catalog = read('pnpm-workspace.yaml').replaceAll('"', '')
    for (const [name, version] of libraries) expect(catalog).toContain(`  ${name}: ${version}\n`)
  })
})
