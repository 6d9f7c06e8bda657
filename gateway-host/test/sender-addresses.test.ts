// Canary of gateway-host/src/engine/baileys/connection.ts: a host with real sessions is asked for files of messages.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cleanUpAfterFile } from '@msgctl/server/testing/cleanup'
import type { proto } from 'baileys'
import { describe, expect, it } from 'vitest'
import { openHostLab } from './host-lab.ts'

const lab = await openHostLab()
const { driver, net } = lab
const jane = '12025550100'
const chat = { kind: 'phone', digits: jane } as const
const mediaKey = Buffer.alloc(32, 1).toString('base64')

let connections = 0
const canary = createServer((_request, response) => response.end('private')).on('connection', () => {
  connections += 1
})
canary.listen(0, '127.0.0.1')
await once(canary, 'listening')
cleanUpAfterFile(async () => {
  canary.closeAllConnections()
  await new Promise((resolve) => canary.close(resolve))
})
const { port } = canary.address() as AddressInfo
const url = `http://127.0.0.1:${port}/_search?size=1`

/** Returns the file of a message that a person sends with these fields, as a later download names it. */
async function referenceOf(phone: string, fields: object) {
  const session = await lab.link(phone)
  const message = { imageMessage: { mimetype: 'image/png', mediaKey, fileLength: 1, ...fields } }
  await net.write({ from: jane, to: phone, message: message as unknown as proto.IMessage })
  await expect.poll(() => lab.eventsOf(session, 'message.in')).toHaveLength(1)
  return { session, raw: lab.eventsOf(session, 'message.in')[0]?.message.raw ?? null }
}

describe('a gateway host', () => {
  it('stores no address of a sender', async () => {
    expect((await referenceOf('15554470001', { url })).raw).toBeNull()
    expect((await referenceOf('15554470002', { url, directPath: '.evil.example/x' })).raw).toBeNull()
    const { raw } = await referenceOf('15554470003', { url, directPath: '/v/t62/gone' })
    expect(raw).toMatchObject({ directPath: '/v/t62/gone' })
    expect(JSON.stringify(raw)).not.toContain('127.0.0.1')
  })

  it('connects to no address that an earlier release stored', async () => {
    const { session, raw } = await referenceOf('15554470004', { directPath: '/v/t62/gone' })
    const fetchMedia = (change: object) =>
      driver.fetchMedia(session, { networkId: 'A', chat, raw: { ...(raw as object), url, ...change } })
    expect(await fetchMedia({ directPath: null })).toBeNull()
    // The file host of the network is asked, and has no such file.
    expect(await fetchMedia({})).toBeNull()
    expect(connections).toBe(0)
  })
})
