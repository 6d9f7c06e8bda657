import { expect, it } from 'vitest'
import { setHost } from '#networks/simulator/control/control.ts'
import { testDatabase } from '#testing/database.ts'
import { openNetwork } from '#testing/simulator/network.ts'

const { db } = await testDatabase()

const listed = (call: number) => Array.from({ length: 5 }, (_, n) => `49151${String(call * 5 + n).padStart(7, '0')}`)

it('reads the connection once for many checks of one list, and sees soon that it was lost', async () => {
  const network = await openNetwork(db, { speed: 0 })
  const session = await network.linked()
  const { signal } = new AbortController()
  let reads = 0
  const onQuery = ({ sql }: { sql: string }) => {
    if (sql.includes('sim_faults')) reads += 1
  }
  db.on('query', onQuery)
  for (let call = 0; call < 200; call++) {
    expect((await network.gateway.check(session, listed(call), signal)).size).toBe(5)
  }
  db.off('query', onQuery)
  expect(reads).toBeGreaterThanOrEqual(10)
  expect(reads).toBeLessThan(100)

  await setHost(network.ctx, session.containerId, true)
  await expect(network.gateway.check(session, listed(0))).rejects.toMatchObject({ kind: 'unreachable' })
  const calls = Array.from({ length: 20 }, (_, call) => call)
  const lost = async () => {
    for (const call of calls) await network.gateway.check(session, listed(call), signal)
  }
  await expect(lost()).rejects.toMatchObject({ kind: 'unreachable' })
})
