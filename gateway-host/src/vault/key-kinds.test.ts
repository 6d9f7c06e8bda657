import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import {
  chatTimerKind,
  contactKind,
  deviceCacheKind,
  kindNumber,
  messageSecretKind,
  namespaceKind,
} from './key-kinds.ts'

const library = path.dirname(fileURLToPath(import.meta.resolve('baileys')))

/** Returns the kinds of keys that the library declares, one a line at the first level of the type. */
function declaredKinds(): string[] {
  const declarations = readFileSync(path.join(library, 'Types/Auth.d.ts'), 'utf8')
  const body = /SignalDataTypeMap = \{\n(.*?)\n\};/s.exec(declarations)?.[1] ?? ''
  return [...body.matchAll(/^ {4}'?([\w-]+)'?:/gm)].flatMap(([, name]) => name ?? [])
}

/** Returns the kinds of keys that the library reads or writes, whether it declares them or not. */
function usedKinds(): string[] {
  const files = readdirSync(library, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'))
  const source = files.map((name) => readFileSync(path.join(library, name), 'utf8')).join('\n')
  const uses = source.matchAll(/\b(?:keys|store)\.(?:get\('([\w-]+)'|set\(\{ ?(?:'([\w-]+)'|(\w+)):)/gi)
  return [...new Set([...uses].flatMap(([, read, quoted, written]) => read ?? quoted ?? written ?? []))]
}

describe('the kinds of keys', () => {
  it('are all that the library declares', () => {
    const declared = declaredKinds()
    expect(declared.length).toBeGreaterThanOrEqual(10)
    for (const name of declared) expect(() => kindNumber(name), name).not.toThrow()
  })

  it('are all that the library uses', () => {
    const used = usedKinds()
    expect(used).toEqual(expect.arrayContaining(['session', 'pre-key', 'lid-mapping', 'tctoken']))
    for (const name of used) expect(() => kindNumber(name), name).not.toThrow()
  })

  it('keep their numbers, and none has that of another', () => {
    const numbers = Object.fromEntries(declaredKinds().map((name) => [name, kindNumber(name)]))
    expect(numbers).toEqual({
      session: 0,
      'pre-key': 1,
      'sender-key': 2,
      'sender-key-memory': 3,
      'app-state-sync-key': 4,
      'app-state-sync-version': 5,
      'lid-mapping': 6,
      'device-list': 7,
      tctoken: 8,
      'identity-key': 9,
    })
    const own = [deviceCacheKind, contactKind, namespaceKind, messageSecretKind, chatTimerKind]
    expect(own).toEqual([10, 11, 12, 13, 14])
    expect(() => kindNumber('a-kind-of-a-later-release')).toThrow('unknown kind of key')
  })
})
