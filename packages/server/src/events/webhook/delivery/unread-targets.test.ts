import { expect, it } from 'vitest'
import type { Db } from '#platform/db/db.ts'
import { deliveryBench } from '#testing/features/deliveries.ts'
import { startReceiver } from '#testing/features/receiver.ts'

const { services, start, subscriber, appendSamples, settled } = await deliveryBench()

/** A database that refuses the first `failures` reads of addresses, and how many it has refused. */
function failingReads(failures: number) {
  const refused: string[] = []
  const client = new Proxy(services.db.client, {
    get(target, name) {
      if (name !== 'query') return Reflect.get(target, name)
      return async (connection: unknown, query: { sql: string }) => {
        if (!query.sql.includes('from webhooks w') || refused.length >= failures) return target.query(connection, query)
        refused.push(query.sql)
        throw new Error('the database is away')
      }
    },
  })
  const db = new Proxy(services.db, { get: (target, name) => (name === 'client' ? client : Reflect.get(target, name)) })
  return { db: db as Db, refused }
}

it('releases what it claimed while addresses cannot be read, and later delivers it as a first attempt', async () => {
  const receiver = await startReceiver()
  const { organizationId } = await subscriber(receiver.url)
  const { db, refused } = failingReads(2)
  await appendSamples(organizationId)
  start({}, { ...services, db })
  const delivered = await settled(organizationId, ({ status }) => status === 'delivered')
  expect(refused).toHaveLength(2)
  expect(delivered).toMatchObject({ attempts: 1, lastStatus: 200, leaseToken: null })
  expect(receiver.received).toHaveLength(1)
})
