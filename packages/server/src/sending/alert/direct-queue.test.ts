import { describe, expect, it } from 'vitest'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { transcriptOf } from '#testing/sim.ts'
import { serveDatabase, startTestServer } from '#testing/start-server.ts'

describe('beside the queue', () => {
  it('a full queue of texts holds no direct send back', async () => {
    const paced = await startTestServer({ env: { UNSAFE_DISABLE_PACING: 'false' } })
    const other = await makeOrganization(paced)
    const number = await makeNumber(paced, other)
    const theirs = paced.client(other)
    await theirs.alert.batch({
      recipients: Array.from({ length: 200 }, (_, n) => `1202444${1000 + n}`),
      message: 'a long queue',
      skipInvalidNumbers: true,
    })
    const { messageId } = await theirs.alert.sendLocation({ phone: '12025550100', latitude: 1, longitude: 2 })
    expect((await theirs.messages.get({ id: messageId })).message.status).not.toBe('queued')
    const first = (await transcriptOf(paced, number)).findIndex(({ to }) => to === '12025550100')
    expect(first).toBeGreaterThanOrEqual(0)
    expect(first).toBeLessThan(5)
    expect((await theirs.messages.list({ status: 'queued' })).total).toBeGreaterThan(150)
  })

  it('is waited for as long as the network takes to accept it (0150)', async () => {
    const server = await startTestServer()
    const organization = await makeOrganization(server)
    const containerId = await makeNumber(server, organization)
    // A second process at the same network, for which everything takes a fortieth of its time.
    const slow = await serveDatabase(server.db, server.databaseUrl, { env: { SIM_SPEED: '40' }, worker: false })
    const began = performance.now()
    await slow.client(organization).alert.sendLocation({ phone: '12025550150', latitude: 1, longitude: 2 })
    await slow.stop()
    expect(performance.now() - began).toBeGreaterThan(450)
    expect(await transcriptOf(server, containerId)).toHaveLength(1)
  })
})
