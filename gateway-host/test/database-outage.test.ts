import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openLab, tally } from './crash-lab.ts'
import { write } from './network/people/writing.ts'

const lab = await openLab({ leaseSeconds: 15 })
const phone = '15554440003'
const outageMs = 20_000

/** A way to the database that a test can close. */
async function openWay(url: string) {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  let isOpen = true
  const server = createServer((client) => {
    if (!isOpen) return client.destroy()
    const database = connect(Number(target.port), target.hostname)
    for (const socket of [client, database]) {
      sockets.add(socket)
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    }
    client.pipe(database).pipe(client)
    client.on('close', () => database.destroy())
    database.on('close', () => client.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const through = new URL(url)
  through.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: through.href,
    set(open: boolean) {
      isOpen = open
      if (!open) for (const socket of sockets) socket.destroy()
    },
  }
}

describe('a host whose database is away for 20 s', () => {
  it('sends nothing that is not stored, and continues without a loss', { timeout: 180_000 }, async () => {
    const way = await openWay(lab.url)
    await lab.newHost(way.url)
    await lab.link(phone)
    const texts: string[] = []
    const send = (text: string) => {
      texts.push(text)
      return lab.sendUntilDone(text, '15556660009')
    }
    await send('before')
    way.set(false)
    const during = [send('during 1'), send('during 2')]
    const written = [await write(lab.network, '15556660008', phone, { conversation: 'written during' })]
    await wait(outageMs)
    // No frame has left: neither a message nor the receipt of the one that arrived.
    expect(tally(lab, texts).lost).toBe(2)
    way.set(true)
    await Promise.all(during)
    await send('after')
    expect(tally(lab, texts)).toEqual({ lost: 0, twice: 0, undecryptable: 0 })
    const reported = () => lab.events.flatMap((event) => (event.kind === 'message.in' ? [event.message.networkId] : []))
    await expect.poll(reported, { timeout: 20_000 }).toEqual(written)
  })
})
