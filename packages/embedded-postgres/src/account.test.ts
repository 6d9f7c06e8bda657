import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { accountFor, mayEnter } from './account.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'msgctl-account-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const isRoot = process.getuid?.() === 0

describe('accountFor', () => {
  it.runIf(!isRoot)('lets an ordinary user run Postgres under the own name', () => {
    expect(accountFor(folder)).toEqual({})
  })

  it.runIf(isRoot)('takes an unprivileged user for root', () => {
    const { uid, gid } = accountFor(path.join(folder, 'not there yet'))
    expect(uid).toBeGreaterThan(0)
    expect(gid).toBeGreaterThan(0)
  })

  it.runIf(isRoot)('takes the owner of a data folder that an ordinary user made', () => {
    chownSync(folder, 12_345, 23_456)
    expect(accountFor(folder)).toEqual({ uid: 12_345, gid: 23_456 })
  })
})

describe('mayEnter', () => {
  it.runIf(isRoot)('returns whether another user may pass through a folder', () => {
    expect(mayEnter('/', { uid: 12_345, gid: 12_345 })).toBe(true)
    expect(mayEnter(folder, { uid: 54_321, gid: 54_321 })).toBe(false)
  })
})
