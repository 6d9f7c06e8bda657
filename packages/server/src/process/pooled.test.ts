import { expect, it, onTestFinished } from 'vitest'
import { missingSharedSettings } from '#platform/db/pooled-settings.ts'
import { testDatabase } from '#testing/database.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { settled } from '#testing/settled.ts'
import { transcriptOf } from '#testing/sim.ts'
import { serveDatabase } from '#testing/start-server.ts'
import { startTransactionPooler } from '#testing/transaction-pooler.ts'
import { readConfig } from './config.ts'
import { startServer } from './start.ts'

const { db, url } = await testDatabase()
const pooler = await startTransactionPooler(url)

it('a pooler in transaction mode is refused with what to change, until both sides allow for it', async () => {
  const config = { NODE_ENV: 'test', PORT: '0', LOG_LEVEL: 'silent', DATABASE_URL: pooler.url }
  await expect(startServer(readConfig(config))).rejects.toThrow(/session mode.*DATABASE_PREPARED=0/)
  const allowed = readConfig({ ...config, DATABASE_PREPARED: '0' })
  await expect(startServer(allowed)).rejects.toThrow(/settings must come from the role/)
  for (const statement of await missingSharedSettings(url)) await db.raw(statement)
  expect(await missingSharedSettings(url)).toEqual([])
})

it('a service with plain statements sends through a pooler in transaction mode', async () => {
  const server = await serveDatabase(db, pooler.url, { env: { DATABASE_PREPARED: '0' } })
  onTestFinished(async () => {
    await server.stop()
    await pooler.stop()
  })
  expect(server.services.wake.isHeard()).toBe(false)
  const organization = await makeOrganization(server)
  const containerId = await makeNumber(server, organization)
  const client = server.client(organization)
  const keyless = server.client({ ...organization, idempotency: 'off' })
  await Promise.all(
    Array.from({ length: 25 }, (_, n) =>
      // With and without an Idempotency-Key, which are stored together.
      (n % 2 === 0 ? client : keyless).alert.send({ phone: `1202555${3000 + n}`, message: 'pooled' }),
    ),
  )
  await settled(db)
  expect(new Set((await transcriptOf(server, containerId)).map(({ to }) => to)).size).toBe(25)
})
