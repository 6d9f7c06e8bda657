// Canary of packages/server/src/events/webhook/delivery/attempt.ts, packages/server/src/api/media/media.ts and
// packages/server/src/ai-clients/oauth/endpoint.ts: what callers and strangers name cannot lead the service to its own
// machine.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { beforeEach, describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { cleanUpAfterFile } from '#testing/cleanup.ts'
import { eventually } from '#testing/eventually.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { registerClient } from '#testing/mcp/consent.ts'
import { serveDatabase, startTestServer } from '#testing/start-server.ts'

let connections = 0
const canary = createServer((socket) => {
  connections += 1
  socket.destroy()
})
canary.listen(0, '127.0.0.1')
await once(canary, 'listening')
cleanUpAfterFile(() => new Promise((resolve) => canary.close(resolve)))
const { port } = canary.address() as AddressInfo

const server = await startTestServer({ env: { ALLOW_PRIVATE_TARGETS: undefined } })
const allowing = await serveDatabase(server.db, server.databaseUrl, {
  worker: false,
  env: { ALLOW_PRIVATE_TARGETS: '127.0.0.1/32' },
})
cleanUpAfterFile(() => allowing.stop())
const organization = await makeOrganization(server)
const containerId = await makeNumber(server, organization)
const client = server.client(organization)

beforeEach(() => {
  connections = 0
})

/** Ways to write the address of this machine. */
const hosts = ['127.0.0.1', 'localhost', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', '[::1]', '0.0.0.0']

/** Opens the page of consent for a client whose document is at an address. */
async function authorize(address: string, clientId: string): Promise<number> {
  const registered = await registerClient(server)
  const url = new URL(registered.authorizeUrl({ client_id: clientId }))
  await rows(server.db, 'delete from attempt_windows')
  return (await fetch(`${address}${url.pathname}${url.search}`, { redirect: 'manual' })).status
}

/** Posts a sample to a webhook that leads to an address, and waits for the end of the attempt. */
async function postTo(url: string) {
  await rows(server.db, 'update webhooks set url = :url', { url })
  const { eventId } = await client.webhook.test({})
  return eventually(
    () => client.webhook.deliveries({ limit: 1 }),
    ({ deliveries: [delivery] }) => delivery?.eventId === eventId && delivery.attempts > 0,
  )
}

describe.each(hosts)('at the host %s, which is this machine', (host) => {
  const address = `http://${host}:${port}/file.png`

  it('a link to a file is not opened', async () => {
    const send = client.alert.sendImage({ phone: '+12025550100', imageUrl: address })
    await expect(send).rejects.toMatchObject({ status: expect.toBeOneOf([400, 422]) })
    expect(connections).toBe(0)
  })

  it('a webhook is not saved, and one that was saved is not posted to', async () => {
    const set = client.webhook.set({ webhookUrl: address })
    await expect(set).rejects.toMatchObject({ status: 400 })
    await client.webhook.set({ webhookUrl: 'https://example.com/hook' })
    await postTo(address)
    expect(connections).toBe(0)
  })

  it('the document of an AI client is not read', async () => {
    for (const scheme of ['https', 'http']) {
      expect(await authorize(server.address, `${scheme}://${host}:${port}/client.json`)).toBe(400)
    }
    expect(connections).toBe(0)
  })
})

describe('a canary', () => {
  it('notices each of them where this machine is allowed', async () => {
    const address = `http://127.0.0.1:${port}/file.png`
    const sender = allowing.client(organization)
    await sender.alert.sendImage({ phone: '+12025550100', imageUrl: address, containerId }).catch(() => undefined)
    expect(connections).toBeGreaterThan(0)
    const afterLink = connections
    await authorize(allowing.address, `http://127.0.0.1:${port}/client.json`)
    expect(connections).toBeGreaterThan(afterLink)
  })
})
