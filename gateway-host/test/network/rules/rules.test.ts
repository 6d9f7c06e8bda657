import { randomBytes } from 'node:crypto'
import type { BinaryNode, WASocket } from 'baileys'
import { afterAll, describe, expect, it } from 'vitest'
import { linkStockClient, openUnlinked } from '../../stock-client.ts'
import { trustRoot } from '../frames/identity.ts'
import { node, serverJid } from '../frames/nodes.ts'
import { scanQr, typeCode } from '../linking.ts'
import { Network, newMessageId } from '../network.ts'
import { lidJid, phoneJid } from '../people/accounts.ts'
import { linkCompanion } from '../people/companions.ts'
import { serveNetwork } from '../serve.ts'
import type { RuleName } from './rules.ts'

const network = new Network({ speed: 0.1, profile: 'lenient' })
trustRoot(network.identity.root.public)
const { url, close } = await serveNetwork(network)
afterAll(close)

const phone = '15553950001'
/** The library as others use it: each rule is the only one that is applied to it. */
const { socket } = await linkStockClient(url, { onQr: (qr) => scanQr(network, qr, phone) })
afterAll(() => socket.end(undefined))

let people = 0
/** Returns the two addresses of a person who was not written to yet. */
function someone() {
  people += 1
  const account = network.accounts.get(`1202552${String(people).padStart(4, '0')}`)
  return { account, byPhone: phoneJid(account), byLid: lidJid(account) }
}

/** Sends a message with one ciphertext, and returns the code with which the network refuses it. */
async function send(to: string, change: { copy?: string; attrs?: object; marks?: BinaryNode[] } = {}) {
  const { copy = to, attrs = {}, marks = [] } = change
  const id = newMessageId()
  const refusal = new Promise<string | undefined>((resolve) => {
    socket.ws.on('CB:ack,class:message', (ack: BinaryNode) => ack.attrs.id === id && resolve(ack.attrs.error))
  })
  const enc = node('enc', { v: '2', type: 'msg' }, randomBytes(40))
  const participants = node('participants', {}, [node('to', { jid: copy }, [enc])])
  await socket.sendNode(node('message', { id, to, type: 'text', ...attrs }, [participants, ...marks]))
  return refusal
}

/** Scans every QR that a device shows, as long as the network offers new ones. */
async function scanAll(by: string): Promise<void> {
  const onQr = (qr: string) => {
    try {
      scanQr(network, qr, by)
    } catch {
      // The phone says so; its owner scans again.
    }
  }
  await linkStockClient(url, { onQr }, { qrTimeout: 40 }).catch(() => undefined)
}

async function query(from: WASocket, xmlns: string, type: string, content: BinaryNode): Promise<BinaryNode> {
  const id = from.generateMessageTag()
  return from.query(node('iq', { to: serverJid, type, xmlns, id }, [content])) as Promise<BinaryNode>
}

async function pairWithoutRef(): Promise<void> {
  const [unlinked, digits] = [await openUnlinked(url), '15553950002']
  const ask = (stage: string, parts: Record<string, Buffer>) => {
    const content = Object.entries(parts).map(([tag, bytes]) => node(tag, {}, bytes))
    const attrs = { jid: `${digits}@${serverJid}`, stage }
    return query(unlinked, 'md', 'set', node('link_code_companion_reg', attrs, content))
  }
  await ask('companion_hello', {
    link_code_pairing_wrapped_companion_ephemeral_pub: randomBytes(80),
    companion_platform_display: Buffer.from('Chrome (Linux)'),
    link_code_pairing_nonce: Buffer.alloc(1),
  })
  await typeCode(network, digits, 'ABCDEFGH')
  await ask('companion_finish', { link_code_pairing_ref: randomBytes(16) }).catch(() => undefined)
  unlinked.end(undefined)
}

/** What breaks each rule, and how the network refuses it, where it does. No rule is without an entry. */
const offences: Readonly<Record<RuleName, () => Promise<unknown>>> = {
  'qr-secret-rotates': () => scanAll('15553950003'),
  async 'passkey-demanded'() {
    network.accounts.get('15553950004').needsPasskey = true
    await scanAll('15553950004')
  },
  'old-version-not-linked': () => linkStockClient(url, { onQr: () => undefined }).catch(() => undefined),
  'code-form': () =>
    linkStockClient(url, { phone: '15553950005', onCode: () => undefined }, { qrTimeout: 40 }).catch(() => undefined),
  'code-ref': pairWithoutRef,
  async 'one-namespace'() {
    const { byLid, byPhone } = someone()
    expect(await send(byLid, { copy: byPhone })).toBe('400')
  },
  async 'people-by-hidden-id'() {
    expect(await send(someone().byPhone)).toBe('463')
  },
  async 'signs-by-hidden-id'() {
    const { account, byPhone } = someone()
    await socket.sendPresenceUpdate('composing', byPhone)
    await socket.sendReceipt(byPhone, undefined, ['READ'], 'read')
    await expect.poll(() => network.rules.broken.get('signs-by-hidden-id')).toBe(2)
    expect([account.typing, account.ticks]).toEqual([[], []])
  },
  async 'new-contact-token'() {
    const { byLid } = someone()
    network.accounts.get(phone).salt = randomBytes(32)
    const marks = [node('cstoken', {}, randomBytes(32))]
    expect([await send(byLid), await send(byLid, { marks })]).toEqual(['463', '463'])
    network.accounts.get(phone).salt = null
  },
  async 'token-once'() {
    const { byPhone } = someone()
    for (const text of ['one', 'two', 'three', 'four']) {
      await socket.sendMessage(byPhone, { text })
      // The token is under way before this query.
      await query(socket, 'privacy', 'get', node('privacy'))
    }
  },
  async 'devices-by-hidden-id'() {
    const user = node('user', { jid: someone().byPhone })
    const asked = [node('query', {}, [node('devices', { version: '2' })]), node('list', {}, [user])]
    const attrs = { context: 'message', mode: 'query', sid: '1', last: 'true', index: '0' }
    const found = await query(socket, 'usync', 'get', node('usync', attrs, asked))
    expect(JSON.stringify(found)).toContain('"tag":"device-list","attrs":{}')
    expect(JSON.stringify(found)).not.toContain('"tag":"device",')
  },
  async 'hidden-id-of-contacts'() {
    expect(await socket.onWhatsApp(someone().account.digits)).toEqual([])
  },
  async 'poll-meta'() {
    expect(await send(someone().byLid, { attrs: { type: 'poll' } })).toBe('400')
  },
  async 'change-hidden'() {
    expect(await send(someone().byLid, { attrs: { edit: '1' } })).toBe('400')
  },
  async 'caption-edit'() {
    const { account, byPhone } = someone()
    const id = newMessageId()
    await socket.relayMessage(byPhone, { imageMessage: { caption: 'two rooms' } }, { messageId: id })
    await expect.poll(() => account.shown.get(`${phone}/${id}`)?.edited).toBeNull()
    await socket.sendMessage(byPhone, { text: 'three rooms', edit: { remoteJid: byPhone, fromMe: true, id } })
    await expect.poll(() => account.shown.get(`${phone}/${id}`)?.edited).toBe('')
  },
  async 'device-hash'() {
    const { account, byPhone } = someone()
    await socket.sendMessage(byPhone, { text: 'to the phone' })
    linkCompanion(network, account, false)
    for (const text of ['one', 'two', 'three']) await socket.sendMessage(byPhone, { text })
  },
  'silent-presence': () => socket.sendNode(node('presence', { name: 'Jane' })),
}

describe('a client that breaks a rule of the test network', () => {
  it.each(Object.entries(offences) as [RuleName, () => Promise<unknown>][])('is noticed: %s', async (rule, offend) => {
    network.rules.set(rule, true)
    await offend()
    await expect.poll(() => network.rules.broken.get(rule) ?? 0).toBeGreaterThan(0)
    network.rules.set(rule, false)
  })
})
