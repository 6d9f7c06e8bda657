import { afterAll, describe, expect, it } from 'vitest'
import { startNetwork } from '../start-process.ts'
import { linkStockClient } from '../stock-client.ts'
import { trustRoot } from './frames/identity.ts'

const { url, root, network, end } = await startNetwork({ profile: 'lenient' })
trustRoot(Buffer.from(root, 'hex'))
afterAll(() => end())

const phone = '15553800001'

describe('a test network in another process', () => {
  it('is controlled over HTTP', async () => {
    const { socket } = await linkStockClient(url, { onQr: (qr) => network.scan({ qr, phone }) })
    const sent = await socket.sendMessage('12025550100@s.whatsapp.net', { text: 'over HTTP' })
    const id = sent?.key.id ?? ''
    await expect
      .poll(async () => (await network.phoneShows({ by: '12025550100', from: phone, id })).shown)
      .toMatchObject({ id, copies: 1, revoked: false, message: { extendedTextMessage: { text: 'over HTTP' } } })
    expect(await network.counts({})).toMatchObject({ messages: 1, undecryptable: 0, connections: 1 })
    expect((await network.account({ phone })).devices).toEqual([1])
    socket.end(undefined)
  })

  it('says why a call failed', async () => {
    await expect(network.scan({ qr: 'gone', phone })).rejects.toThrow('scan: this QR is not valid any more')
    await expect(network.typeCode({ phone, code: 'ABCD' })).rejects.toThrow('no device requested a code')
  })
})
