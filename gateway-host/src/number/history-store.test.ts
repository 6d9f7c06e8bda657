import { randomUUID } from 'node:crypto'
import { cleanUpAfterFile } from '@msgctl/server/testing/cleanup'
import { testDatabase } from '@msgctl/server/testing/database'
import pg from 'pg'
import { expect, it } from 'vitest'
import type { Vault } from '../vault/vault.ts'
import { listMessages, storeHistory } from './history-store.ts'

const { url } = await testDatabase()
const pool = new pg.Pool({ connectionString: url, max: 2 })
cleanUpAfterFile(() => pool.end())

it('stores texts that Postgres would refuse, without the characters', async () => {
  const containerId = randomUUID()
  await pool.query(
    `insert into gateway_sessions (container_id, organization_id, wanted, sequence) values ($1, $2, 'running', 1)`,
    [containerId, randomUUID()],
  )
  const vault = { containerId, epoch: '0', isFenced: false } as unknown as Vault
  const texts = ['a\0b', 'a\ud83db', 'a\u{1f600}b']
  const history = texts.map((conversation, index) => ({
    chat: '12025550100@s.whatsapp.net',
    networkId: `M${index}`,
    at: new Date(index),
    fromMe: false,
    message: { conversation },
  }))
  await storeHistory(pool, vault, history)
  const stored = await listMessages(pool, { containerId }, { kind: 'phone', digits: '12025550100' }, 10)
  const direction = 'in'
  expect(stored).toMatchObject(['a\ufffdb', 'a\ufffdb', 'a\u{1f600}b'].map((text) => ({ direction, text })))
})
