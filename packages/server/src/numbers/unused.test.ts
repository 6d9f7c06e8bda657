import { expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'
import { warnUnused } from './unused.ts'

const server = await startTestServer({ worker: false })
const { services, db } = server
const daySeconds = 86_400

it('warns once about a linked number of a real network that has been stopped for 20 days', async () => {
  const organization = await makeOrganization(server)
  const [stopped, simulated, never] = [
    await makeNumber(server, organization),
    await makeNumber(server, organization),
    await makeNumber(server, organization, { linked: false }),
  ]
  await rows(
    db,
    `update numbers set status = 'STOPPED', status_since = service_now(),
            gateway = case when id = :simulated then 'simulator' else 'direct' end
      where id = any(:all::uuid[])`,
    { simulated, all: [stopped, simulated, never] },
  )
  const client = server.client(organization)
  const warned = async () => {
    const { events } = await client.events.list({ limit: 100 })
    return events.filter(({ event }) => event === 'number.warning').map(({ data }) => data)
  }
  await server.advance(19 * daySeconds)
  expect(await warnUnused(services)).toBe(0)
  await server.advance(2 * daySeconds)
  expect(await warnUnused(services)).toBe(1)
  expect(await warnUnused(services)).toBe(0)
  expect(await warned()).toMatchObject([{ reason: 'unused', containerId: stopped }])

  await rows(db, 'update numbers set status_since = service_now() where id = :stopped', { stopped })
  await server.advance(21 * daySeconds)
  expect(await warnUnused(services)).toBe(1)
})
