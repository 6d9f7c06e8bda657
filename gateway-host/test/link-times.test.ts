import makeSocket, { Browsers, initAuthCreds } from 'baileys'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { Linking } from '../src/engine/baileys/link/linking.ts'
import { silentLogger } from '../src/engine/baileys/silent-logger.ts'
import { trustRoot } from './network/frames/identity.ts'
import { child } from './network/frames/nodes.ts'
import { takeCodeBack, typeCode } from './network/linking.ts'
import { Network } from './network/network.ts'
import { memoryKeys } from './network/people/memory-keys.ts'
import { serveNetwork } from './network/serve.ts'

const network = new Network({ speed: 0.1 })
trustRoot(network.identity.root.public)
const { url, close } = await serveNetwork(network)
afterAll(close)

const browser = Browsers.ubuntu('Chrome')

/** A device on the network that waits to be linked, with the QRs that it has shown, on a clock that the test moves. */
async function openLink() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const creds = initAuthCreds()
  const socket = makeSocket({
    auth: { creds, keys: memoryKeys() },
    logger: silentLogger,
    waWebSocketUrl: url,
    browser,
    version: [2, 3000, 1_043_857_760],
  })
  onTestFinished(() => void socket.end(undefined))
  const ends: (Error | undefined)[] = []
  const qrs: string[] = []
  let isLinked = false
  socket.ev.on('connection.update', ({ lastDisconnect, isNewLogin }) => {
    if (lastDisconnect) ends.push(lastDisconnect.error)
    if (isNewLogin) isLinked = true
  })
  const vault = { creds, isFenced: false, stageCreds: () => undefined }
  const linking = new Linking(socket, vault, { onQr: ({ text }) => void qrs.push(text) }, { browser, nowMs: Date.now })
  await vi.waitUntil(() => qrs.length > 0)
  return { linking, creds, qrs, ends, isLinked: () => isLinked }
}

/** Types a code half a second before its end, on a phone that completes the link when it is released. */
async function typeLate(phone: string) {
  const { linking, isLinked, ends, creds } = await openLink()
  const code = await linking.code.request(phone)
  const connection = network.codes.get(phone)?.connection
  if (!connection) throw new Error('no device waits for the code')
  const send = connection.send.bind(connection)
  let release = (): void => undefined
  connection.send = (stanza) => {
    if (!child(stanza, 'pair-success')) return send(stanza)
    release = () => void send(stanza)
    return true
  }
  await vi.advanceTimersByTimeAsync(179_500)
  const { advSecretKey } = creds
  await typeCode(network, phone, code)
  await vi.waitUntil(() => creds.advSecretKey !== advSecretKey)
  return { isLinked, ends, release: () => release() }
}

describe('a link', () => {
  it('shows a QR for a minute and five for 20 s, and ends', async () => {
    const { qrs, ends } = await openLink()
    await vi.advanceTimersByTimeAsync(59_000)
    expect(qrs).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(100_000)
    expect(qrs).toHaveLength(6)
    expect(ends).toEqual([])
    await vi.advanceTimersByTimeAsync(1000)
    await vi.waitUntil(() => ends.length > 0)
    expect(ends).toEqual([expect.objectContaining({ name: 'LinkExpired', output: { statusCode: 408 } })])
  })

  it('by a code is made 170 s after the request, when no QR is shown any more', async () => {
    const { linking, isLinked } = await openLink()
    const phone = '15557200001'
    const code = await linking.code.request(phone)
    await vi.advanceTimersByTimeAsync(170_000)
    await typeCode(network, phone, code)
    await vi.waitUntil(isLinked)
  })

  it('by a code that was typed in its last second is waited for', async () => {
    const { isLinked, ends, release } = await typeLate('15557200003')
    await vi.advanceTimersByTimeAsync(30_000)
    expect(ends).toEqual([])
    release()
    await vi.waitUntil(isLinked)
  })

  it('that the phone does not complete ends a minute after its code was typed', async () => {
    const { ends } = await typeLate('15557200004')
    await vi.advanceTimersByTimeAsync(58_000)
    expect(ends).toEqual([])
    await vi.advanceTimersByTimeAsync(3000)
    await vi.waitUntil(() => ends.length > 0)
  })

  it('waits for a code that was not typed until the network takes it no more', async () => {
    const { linking, ends } = await openLink()
    await linking.code.request('15557200002')
    await vi.advanceTimersByTimeAsync(179_000)
    expect(ends).toEqual([])
    await vi.advanceTimersByTimeAsync(2000)
    await vi.waitUntil(() => ends.length > 0)
  })

  it('does not wait for a code that the network has taken back', async () => {
    const { linking, ends } = await openLink()
    const phone = '15557200005'
    const code = await linking.code.request(phone)
    takeCodeBack(network, phone)
    await vi.waitUntil(() => linking.code.neededMs === 0)
    await expect(typeCode(network, phone, code)).rejects.toThrow('no device requested a code')
    await vi.advanceTimersByTimeAsync(161_000)
    await vi.waitUntil(() => ends.length > 0)
  })
})
