import { afterEach, describe, expect, it, vi } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { eventually } from '#testing/eventually.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { transcriptOf } from '#testing/sim.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ env: { UNSAFE_DISABLE_PACING: 'false' } })
const place = { latitude: 1, longitude: 2 }

async function ground() {
  const organization = await makeOrganization(server)
  const containerId = await makeNumber(server, organization)
  return { containerId, client: server.client(organization) }
}

afterEach(() => {
  vi.restoreAllMocks()
})

describe('a send at once', () => {
  it('ends with an unknown outcome when the driver never returns', async () => {
    const { client } = await ground()
    const { setTimeout: real } = globalThis
    // The deadline of the service's own comes after that of the driver, and soon enough for a test.
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms?: number, ...rest: []) =>
      real(run, ms === 27_000 ? 20 : ms, ...rest)) as typeof setTimeout)
    vi.spyOn(server.services.gateway, 'send').mockReturnValue(new Promise(() => {}))
    await expect(client.alert.sendLocation({ phone: '12025550100', ...place })).rejects.toMatchObject({
      status: 504,
      code: 'UPSTREAM_TIMEOUT',
      details: { outcome: 'unknown', messageId: expect.any(String) },
    })
    const { messages } = await client.messages.list()
    expect(messages).toMatchObject([{ status: 'sending' }])
  })

  it('that restricts the account keeps the queue of its number back as long as the network says', async () => {
    const { client, containerId } = await ground()
    // A restricted account checks no recipients; known ones can still be written to.
    await client.alert.validate({ phones: ['12025550100'] })
    await expect(client.alert.sendLocation({ phone: '12025550160', ...place })).rejects.toMatchObject({
      status: 502,
      code: 'GATEWAY_ERROR',
      details: { reason: 'restricted', outcome: 'not_sent' },
    })
    const [lane] = await rows<{ waitsMs: number }>(
      server.db,
      `select extract(epoch from next_send_at - service_now()) * 1000 as waits_ms from lanes
        where container_id = :containerId`,
      { containerId },
    )
    expect(Number(lane?.waitsMs)).toBeGreaterThan(290_000)
    const { messageId } = await client.alert.send({ phone: '12025550100', message: 'later' })
    await server.advance(240)
    expect((await client.messages.get({ id: messageId })).message).toMatchObject({ status: 'queued', attempts: 0 })
    await server.advance(70)
    await eventually(
      () => transcriptOf(server, containerId),
      (messages) => messages.length === 1,
    )
  })
})
