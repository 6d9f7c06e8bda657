import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accountFor } from './account.ts'
import { binariesFor } from './binaries.ts'
import { EmbeddedPostgresError } from './failure.ts'

const isRoot = process.getuid?.() === 0

/** The installed package with the programs for this system. */
function installedPackage(): string {
  return path.dirname(binariesFor({}).folder)
}

describe('binariesFor', () => {
  let folder: string
  let home: string

  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'msgctl-binaries-'))
    chmodSync(folder, 0o755)
    home = path.join(folder, 'checkout', 'package')
    const links = JSON.parse(readFileSync(path.join(installedPackage(), 'native/pg-symlinks.json'), 'utf8'))
    const targets = new Set(links.map(({ target }: { target: string }) => path.join(installedPackage(), target)))
    cpSync(installedPackage(), home, { recursive: true, verbatimSymlinks: true, filter: (file) => !targets.has(file) })
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('makes the symbolic links that a blocked build script did not make', () => {
    expect(binariesFor(accountFor(folder), path.join(folder, 'unused'), home).folder).toBe(path.join(home, 'native'))
  })

  describe.runIf(isRoot)('as root, in a checkout that only root may enter', () => {
    beforeAll(() => chmodSync(path.join(folder, 'checkout'), 0o700))

    it('runs a copy, one per version, that is made once', () => {
      const root = path.join(folder, 'copies')
      const { version } = createRequire(import.meta.url)(path.join(home, 'package.json')) as { version: string }
      const first = binariesFor(accountFor(folder), root, home)
      expect(first.folder).toBe(path.join(root, `postgres-${version}-${process.platform}-${process.arch}`, 'native'))
      expect(binariesFor(accountFor(folder), root, home)).toEqual(first)
    })

    it('does not run a copy that another user may have put there', () => {
      const root = path.join(folder, 'planted')
      mkdirSync(root, { mode: 0o755 })
      const { uid, gid } = accountFor(folder)
      chownSync(root, uid ?? 0, gid ?? 0)
      expect(() => binariesFor(accountFor(folder), root, home)).toThrow(EmbeddedPostgresError)
      expect(() => binariesFor(accountFor(folder), root, home)).toThrow(/belongs to another user/)
    })
  })
})
