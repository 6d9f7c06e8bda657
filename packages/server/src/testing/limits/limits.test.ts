import { describe, expect, it } from 'vitest'
import { type LimitName, limitCatalogue } from '../../access/limit-key.ts'
import { rows } from '../../db/db.ts'
import { startFileServer } from '../file-server.ts'
import { startTestServer } from '../start-server.ts'
import type { LimitUse } from './limit-use.ts'
import { usesByAddress } from './uses-by-address.ts'
import { usesByCredential } from './uses-by-credential.ts'
import { usesByOrganization } from './uses-by-organization.ts'

const server = await startTestServer({
  worker: false,
  env: { TRUSTED_PROXIES: '127.0.0.1', SIGNUP_PER_HOUR: '20', UNSAFE_DISABLE_RATE_LIMIT: 'false' },
})
const { db } = server
const world = { server, files: await startFileServer() }

/** A limit without an entry does not compile. */
const uses: Readonly<Record<LimitName, LimitUse>> = { ...usesByAddress, ...usesByCredential, ...usesByOrganization }

async function windowsOf(limit: string): Promise<ReadonlyMap<string, number>> {
  const found = await rows<{ bucket: string; attempts: number }>(
    db,
    `select bucket, attempts from attempt_windows where starts_with(bucket, :limit || ' of ')`,
    { limit },
  )
  return new Map(found.map(({ bucket, attempts }) => [bucket, attempts]))
}

/** Uses up every window of this limit that has changed. Returns how many there are. */
async function useUpWindows(limit: string, before: ReadonlyMap<string, number>): Promise<number> {
  const changed = [...(await windowsOf(limit))].filter(([bucket, attempts]) => before.get(bucket) !== attempts)
  for (const [bucket] of changed) {
    await rows(db, 'update attempt_windows set attempts = 1000 where bucket = :bucket', { bucket })
  }
  return changed.length
}

describe('a limit that one caller has reached holds for no other one', () => {
  it.each(Object.entries(limitCatalogue))('%s', async (name, { by, code }) => {
    const { a, b, likeA, useUp } = await uses[name as LimitName](world)
    const before = await windowsOf(name)
    expect(await a()).not.toBe(code)
    if (useUp) await useUp()
    else expect(await useUpWindows(name, before)).toBe(1)
    expect(await a()).toBe(code)
    expect(await b()).not.toBe(code)
    if (by === 'address') expect(await likeA?.()).toBe(code)
  })

  it('and those that count by something else than address, credential or organization say why', () => {
    const exceptions = Object.values(limitCatalogue).filter(({ by }) => by === 'exception')
    expect(exceptions.every((one) => 'because' in one && one.because.length > 0)).toBe(true)
    expect(exceptions).toHaveLength(7)
  })
})
