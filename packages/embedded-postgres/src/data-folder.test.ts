import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { accountFor } from './account.ts'
import { placeDataFolder } from './data-folder.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'msgctl-place-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('placeDataFolder', () => {
  it('keeps the requested folder and opens the folders it makes above it, whatever the umask', () => {
    chmodSync(folder, 0o755)
    const before = process.umask(0o077)
    try {
      const wanted = path.join(folder, 'with spaces', 'deep', 'pg')
      expect(placeDataFolder(wanted, accountFor(folder))).toBe(wanted)
      expect(statSync(path.dirname(wanted)).mode & 0o777).toBe(0o755)
    } finally {
      process.umask(before)
    }
  })

  it.runIf(process.getuid?.() === 0)(
    'takes a folder per checkout elsewhere when only root may enter the checkout',
    () => {
      const root = path.join(folder, 'root')
      const places = ['one', 'two', 'one'].map((checkout) => {
        mkdirSync(path.join(folder, checkout), { recursive: true, mode: 0o700 })
        return placeDataFolder(path.join(folder, checkout, '.data'), accountFor(folder), root)
      })
      expect(places.every((place) => place.startsWith(path.join(root, 'data')))).toBe(true)
      expect(places[0]).toBe(places[2])
      expect(places[0]).not.toBe(places[1])
    },
  )
})
