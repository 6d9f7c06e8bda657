import { pino } from 'pino'
import { expect, it } from 'vitest'
import { startWake } from '#platform/db/wake.ts'
import { cleanUpAfterFile } from '#testing/cleanup.ts'
import { testDatabase } from '#testing/database.ts'
import { eventually } from '#testing/eventually.ts'
import { saveHost } from './host-store.ts'
import { onceHosted } from './poller.ts'

const { db, url } = await testDatabase()
const heard = startWake(db, url)
cleanUpAfterFile(() => heard.stop())

it('starts when another process adds a WAHA server, without a poll, and ends what it started', async () => {
  const seen = { polls: 0, starts: 0, ends: 0 }
  const wake = {
    ...heard,
    isHeard() {
      seen.polls++
      return true
    },
  }
  const end = onceHosted({ db, wake, log: pino({ level: 'silent' }) }, () => {
    seen.starts++
    return [async () => void seen.ends++]
  })
  await eventually(
    async () => seen.polls > 0 && heard.isHeard(),
    (isWaiting) => isWaiting,
  )
  expect(seen.starts).toBe(0)
  await saveHost(db, {
    id: crypto.randomUUID(),
    url: 'http://waha.test',
    sealedKey: 'a',
    sealedHookKey: 'b',
    engine: 'GOWS',
    version: '2026.7.1',
    capacity: 1,
    groups: true,
  })
  await eventually(
    async () => seen.starts,
    (starts) => starts === 1,
  )
  expect(seen).toEqual({ polls: 1, starts: 1, ends: 0 })
  await end()
  expect(seen.ends).toBe(1)
})
