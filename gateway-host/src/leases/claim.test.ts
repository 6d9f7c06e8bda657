import { randomUUID } from 'node:crypto'
import { cleanUpAfterFile } from '@msgctl/server/testing/cleanup'
import { testDatabase } from '@msgctl/server/testing/database'
import pg from 'pg'
import { expect, it } from 'vitest'
import { LeaseStore } from './lease-store.ts'

const { url } = await testDatabase()
const pool = new pg.Pool({ connectionString: url, max: 2 })
cleanUpAfterFile(() => pool.end())

async function addNumber(me: object | null, sealedProxy: string | null): Promise<string> {
  const containerId = randomUUID()
  await pool.query(
    `insert into gateway_sessions (container_id, organization_id, wanted, sequence, me, sealed_proxy)
     values ($1, $2, 'running', 0, $3, $4)`,
    [containerId, randomUUID(), me && JSON.stringify(me), sealedProxy],
  )
  return containerId
}

it('leaves linked numbers without a proxy where they are, while the host takes none of them', async () => {
  const me = { id: '15550000001@c.us', digits: '15550000001', pushName: '' }
  const direct = await addNumber(me, null)
  const others = [await addNumber(me, 'sealed'), await addNumber(null, null)]
  const leases = new LeaseStore(pool, randomUUID(), 60_000)
  const claim = async (withDirect: boolean) =>
    (await leases.claim(10, withDirect)).map(({ containerId }) => containerId)
  expect((await claim(false)).sort()).toEqual(others.sort())
  const [lease] = await leases.claim(10, true)
  expect(lease).toMatchObject({ containerId: direct, isLinked: true, sealedProxy: null })
})
