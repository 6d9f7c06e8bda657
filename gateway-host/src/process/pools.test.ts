import { cleanUpAfterFile } from '@msgctl/server/testing/cleanup'
import { testDatabase } from '@msgctl/server/testing/database'
import { expect, it } from 'vitest'
import { storeHistory } from '../number/history-store.ts'
import type { Vault } from '../vault/vault.ts'
import { openPools } from './pools.ts'

const { url } = await testDatabase()
const pools = openPools(url, () => undefined)
cleanUpAfterFile(() => pools.end())

it('each kind of work has its own time for a statement', async () => {
  const { main, leases, history, links } = pools
  const times = [main, leases, history, links].map(async (pool) => {
    const { rows } = await pool.query<{ time: string }>(`select current_setting('statement_timeout') as time`)
    return rows[0]?.time
  })
  expect(await Promise.all(times)).toEqual(['5s', '5s', '1min', '30s'])
})

it('keys and leases do not wait for a history that does', async () => {
  const holder = await pools.main.connect()
  await holder.query('begin')
  await holder.query('lock table gateway_history in exclusive mode')
  const vault = { containerId: '00000000-0000-4000-8000-000000000000', epoch: '1', isFenced: false } as Vault
  const message = { chat: '12025550100@s.whatsapp.net', networkId: 'A', at: new Date(0), fromMe: false }
  const parts = Array.from({ length: 4 }, () =>
    storeHistory(pools.history, vault, [{ ...message, message: { conversation: 'x' } }]),
  )
  await expect.poll(() => pools.history.waitingCount).toBe(2)
  const quick = [pools.main, pools.leases, pools.links].map((pool) => pool.query('select 1'))
  expect(await Promise.all(quick)).toHaveLength(3)
  await holder.query('rollback')
  holder.release()
  await Promise.all(parts)
})
