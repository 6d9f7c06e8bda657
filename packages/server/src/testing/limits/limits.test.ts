import { describe, expect, it } from 'vitest'
import { type LimitName, limitCatalogue } from '#api/access/limit-key.ts'
import { rows } from '#platform/db/db.ts'
import { startFileServer } from '#testing/file-server.ts'
import { startTestServer } from '#testing/start-server.ts'
import type { LimitUse } from './limit-use.ts'
import { usesByAddress } from './uses-by-address.ts'
import { usesByCredential } from './uses-by-credential.ts'
import { usesByOrganization } from './uses-by-organization.ts'

const server = await startTestServer({
  worker: false,
  env: {
    TRUSTED_PROXIES: '127.0.0.1',
    SIGNUP_PER_HOUR: '20',
    UNSAFE_DISABLE_RATE_LIMIT: 'false',
    PAYMENTS: 'simulated',
  },
})
const { db } = server
const world = { server, files: await startFileServer() }

/** A limit without an entry does not compile. */
const uses: Readonly<Record<LimitName, LimitUse>> = { ...usesByAddress, ...usesByCredential, ...usesByOrganization }

/** Limits of A alone that stay unused, each with the reason. */
const unused: Readonly<Partial<Record<LimitName, string>>> = {
  'calls of an AI client':
    'It is checked before every tool, so that A would reach no other limit. It has a case of its own.',
}

async function readWindows(): Promise<ReadonlyMap<string, number>> {
  const found = await rows<{ bucket: string; attempts: number }>(db, 'select bucket, attempts from attempt_windows')
  return new Map(found.map(({ bucket, attempts }) => [bucket, attempts]))
}

/** Uses up every window that has changed, of this limit and of any other. Returns how many there are of each. */
async function useUpWindows(name: LimitName, before: ReadonlyMap<string, number>): Promise<Record<string, number>> {
  const changed = [...(await readWindows())].filter(([bucket, attempts]) => before.get(bucket) !== attempts)
  const counts: Record<string, number> = {}
  for (const [bucket] of changed) {
    const limit = Object.keys(limitCatalogue).find((each) => bucket.startsWith(`${each} of `)) ?? bucket
    counts[limit] = (counts[limit] ?? 0) + 1
    if (limit !== name && limit in unused) continue
    await rows(db, 'update attempt_windows set attempts = 1000 where bucket = :bucket', { bucket })
  }
  return counts
}

describe('a limit that one caller has reached holds for no other one', () => {
  it.each(Object.entries(limitCatalogue))('%s', async (name, { by, code }) => {
    const { a, b, likeA, useUp } = await uses[name as LimitName](world)
    const before = await readWindows()
    expect(await a()).not.toBe(code)
    const counts = await useUpWindows(name as LimitName, before)
    if (useUp) await useUp()
    else expect(counts[name]).toBe(1)
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
