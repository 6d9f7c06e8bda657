import { afterAll, describe, expect, it } from 'vitest'
import { linkStockClient } from '../stock-client.ts'
import { trustRoot } from './frames/identity.ts'
import { scanQr, typeCode } from './linking.ts'
import { Network } from './network.ts'
import { setOnline, unlink } from './operations.ts'
import { write, writeOnPhone } from './people/writing.ts'
import { serveNetwork } from './serve.ts'

const network = new Network({ speed: 0.1, profile: 'lenient' })
trustRoot(network.identity.root.public)
const { url, close } = await serveNetwork(network)
afterAll(close)

let made = 0
/** Links a device with a phone that was not used yet. */
async function link() {
  const phone = `1555${3_000_000 + made++}`
  const client = await linkStockClient(url, { onQr: (qr) => scanQr(network, qr, phone) })
  return { ...client, phone }
}

const jid = (digits: string) => `${digits}@s.whatsapp.net`
const textOf = (message: unknown) => (message as { extendedTextMessage?: { text?: string } }).extendedTextMessage?.text

describe('the test network', () => {
  it('links a device by QR, and delivers what it sends with receipts', async () => {
    const { socket, phone } = await link()
    const statuses: unknown[] = []
    socket.ev.on('messages.update', (updates) => statuses.push(...updates.map(({ update }) => update.status)))
    await socket.sendMessage(jid('12025550100'), { text: 'hello' })
    await expect.poll(() => network.transcript.filter(({ from }) => from === phone)).toHaveLength(1)
    expect(textOf(network.transcript.find(({ from }) => from === phone)?.message)).toBe('hello')
    await expect.poll(() => statuses).toContain(4)
    socket.end(undefined)
  })

  it('links a device by a code that its owner types', async () => {
    const phone = '15553900001'
    const { socket, creds } = await linkStockClient(url, {
      phone,
      onCode: (code) => setTimeout(() => void typeCode(network, phone, code), 20),
    })
    expect(creds.me?.id).toContain(phone)
    socket.end(undefined)
  })

  it('refuses a QR that is not shown any more', () => {
    expect(() => scanQr(network, 'gone,a,b,c', '15553900002')).toThrow('not valid any more')
  })

  it('delivers what people write, what the owner writes on the phone, and replies', async () => {
    const { socket, phone } = await link()
    const seen: [boolean, unknown][] = []
    socket.ev.on('messages.upsert', ({ messages }) => {
      for (const { key, message } of messages)
        if (message?.conversation) seen.push([key.fromMe === true, message.conversation])
    })
    await write(network, '12025550100', phone, { conversation: 'good morning' })
    await writeOnPhone(network, phone, '12025550100', { conversation: 'typed on the phone' })
    await socket.sendMessage(jid('12025550131'), { text: 'offers' })
    await expect
      .poll(() => seen)
      .toEqual(
        expect.arrayContaining([
          [false, 'good morning'],
          [true, 'typed on the phone'],
          [false, 'STOP'],
        ]),
      )
    socket.end(undefined)
  })

  it('keeps messages for a phone that is offline', async () => {
    const { socket, phone } = await link()
    await socket.sendMessage(jid('12025550120'), { text: 'later' })
    const arrived = () => network.transcript.filter(({ from }) => from === phone).length
    expect(arrived()).toBe(0)
    setOnline(network, '12025550120', true)
    await expect.poll(arrived).toBe(1)
    socket.end(undefined)
  })

  it('refuses messages to people with the code of its table', async () => {
    const { socket } = await link()
    const refused = new Promise((resolve) => socket.ws.on('CB:ack,class:message', ({ attrs }) => resolve(attrs.error)))
    await socket.sendMessage(jid('12025550111'), { text: 'x' })
    expect(await refused).toBe('479')
    socket.end(undefined)
  })

  it('ends the link of a device that the owner removes', async () => {
    const { socket, phone } = await link()
    const closed = new Promise((resolve) =>
      socket.ev.on('connection.update', ({ connection, lastDisconnect }) => {
        if (connection === 'close')
          resolve((lastDisconnect?.error as { output?: { statusCode: number } } | undefined)?.output?.statusCode)
      }),
    )
    unlink(network, phone)
    expect(await closed).toBe(401)
  })
})
