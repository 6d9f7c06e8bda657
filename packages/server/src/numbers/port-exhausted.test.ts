import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { makeOrganization, makeToken } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ worker: false, env: { GATEWAY: 'direct' } })

/** Registers a gateway host that is seen now. */
async function addHost(capacity: number): Promise<void> {
  await rows(
    server.db,
    `insert into gateway_hosts (id, url, version, capacity, started_at, seen_at)
     values (gen_random_uuid(), 'http://127.0.0.1:1', '0', :capacity, gateway_clock(), gateway_clock())`,
    { capacity },
  )
}

describe('POST /session', () => {
  it('adds numbers while no host runs, and none while every host is full', async () => {
    const organization = await makeOrganization(server, { products: ['notify'] })
    const client = server.client({ token: await makeToken(server, organization) })
    const add = () => client.numbers.create({ label: 'Support' })
    await add()
    await addHost(2)
    await add()
    await expect(add()).rejects.toMatchObject({ status: 503, code: 'PORT_EXHAUSTED' })
    await addHost(1)
    await add()
    expect((await client.numbers.list()).usedSessions).toBe(3)
  })
})
