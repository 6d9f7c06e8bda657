import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { connectingPlaces, outsideAddresses } from './connecting-places.ts'
import { readGatewayHost, readSources } from './sources.ts'

const root = path.resolve(import.meta.dirname, '..')
const sources = [...readSources(root), ...readGatewayHost(root)].filter(({ forTests }) => !forTests)
const canaries = [...Object.entries(connectingPlaces), ...Object.entries(outsideAddresses)].flatMap(
  ([file, { canary }]) => (canary === undefined ? [] : [[file, canary] as const]),
)

/** Whether the text of a test says that it is the canary of a file. The sentence may be broken over lines. */
function isCanaryOf(text: string, file: string): boolean {
  const sentence = /\bCanary of ([^:]*):/.exec(text)?.[1] ?? ''
  return sentence
    .replaceAll(/\s*\/\/\s*/g, ' ')
    .split(/, | and /)
    .includes(file)
}

describe('the places that connect', () => {
  it('exist', () => {
    const files = sources.map(({ file }) => file)
    expect(files).toEqual(expect.arrayContaining([...Object.keys(connectingPlaces), ...Object.keys(outsideAddresses)]))
  })

  it('have a canary when their address comes from outside', () => {
    const without = Object.entries(connectingPlaces).filter(
      ([, { addressFrom, canary }]) => addressFrom === 'outside' && canary === undefined,
    )
    expect(without).toEqual([])
    expect(canaries.length).toBeGreaterThan(5)
  })

  it.each(canaries)('%s has its canary in %s', (file, canary) => {
    expect(existsSync(path.join(root, canary))).toBe(true)
    const text = readFileSync(path.join(root, canary), 'utf8')
    expect(isCanaryOf(text, file)).toBe(true)
    // A canary listens at this machine, and counts what arrives.
    expect(text).toMatch(/listen\(0, '127\.0\.0\.1'/)
    expect(text).toMatch(/expect\((?:\w+\.)?connections(?:\(\))?\)\.toBe\(0\)/)
  })

  it('that take addresses from outside are those that use public-address/', () => {
    const users = sources.filter(({ file, imports }) =>
      imports.some(
        ({ target, typeOnly }) =>
          !typeOnly &&
          /^@msgctl\/network\/public-address\/(?:agent|fetch|post)$/.test(target) &&
          !file.startsWith('packages/network/src/public-address/'),
      ),
    )
    expect(users.map(({ file }) => file).sort()).toEqual(Object.keys(outsideAddresses).sort())
  })

  it('import the file that makes their agent, when another one makes it', () => {
    const agents = Object.entries(connectingPlaces).flatMap(([file, { agentFrom }]) =>
      agentFrom ? [{ file, agentFrom }] : [],
    )
    const without = agents.filter(({ file, agentFrom }) => {
      const imports = sources.find((source) => source.file === file)?.imports ?? []
      return !imports.some(({ target, typeOnly }) => !typeOnly && target === agentFrom)
    })
    expect(without).toEqual([])
    expect(agents).not.toEqual([])
  })

  it('are found in a sentence over several lines, and nowhere else', () => {
    const text = '// Canary of a/b.ts, c/d.ts and\n// e/f.ts: words\nfetch(z)'
    expect(['a/b.ts', 'c/d.ts', 'e/f.ts', 'b.ts', 'z'].map((file) => isCanaryOf(text, file))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ])
  })
})
