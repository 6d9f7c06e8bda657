// Canary of gateway-host/src/engine/baileys/file-access.ts and gateway-host/src/engine/baileys/proxy.ts: what messages
// name is fetched from the file hosts of the network only.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkFileHosts, testFileHosts } from '@msgctl/network/files/hosts'
import { cleanUpAfterFile } from '@msgctl/server/testing/cleanup'
import { Agent } from 'undici'
import { expect, it } from 'vitest'
import { fileAccess, openFileNetwork } from './file-access.ts'

let connections = 0
const canary = createServer((_request, response) => response.end('private')).on('connection', () => {
  connections += 1
})
canary.listen(0, '127.0.0.1')
await once(canary, 'listening')
const { port } = canary.address() as AddressInfo
const network = await openFileNetwork(networkFileHosts)
// A proxy connects to whatever it is asked for.
const proxy = new Agent()
cleanUpAfterFile(async () => {
  await Promise.all([network.close(), proxy.destroy()])
  canary.closeAllConnections()
  await new Promise((resolve) => canary.close(resolve))
})

it.each([
  ['its own connections', null],
  ['a proxy', proxy],
])('the library reaches the file hosts only, over %s', async (_, way) => {
  const { dispatcher } = fileAccess(network, way)
  const options = { dispatcher } as unknown as RequestInit
  for (const url of [
    `http://127.0.0.1:${port}/`,
    `https://127.0.0.1:${port}/`,
    'https://mmg.whatsapp.net.evil.example/x',
  ]) {
    await expect(fetch(url, options)).rejects.toMatchObject({ cause: { name: 'RefusedAddressError' } })
  }
  expect(connections).toBe(0)
})

it('a file of a message is fetched from the file host only', async () => {
  const hosts = testFileHosts(`localhost:${port}`)
  const { source } = fileAccess({ hosts, agent: network.agent }, null)
  const request = { method: 'GET', headers: {}, deadlineMs: 5000, maxBytes: 10, maxRedirects: 0 } as const
  for (const url of [`https://127.0.0.1:${port}/`, 'https://mmg.whatsapp.net/v/t62']) {
    await expect(source.fetch({ ...request, url })).rejects.toMatchObject({ reason: 'refused' })
  }
  expect(connections).toBe(0)
})
