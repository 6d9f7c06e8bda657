import { randomBytes } from 'node:crypto'
import type { BinaryNode, proto } from 'baileys'
import { findKeys, keysNode } from '../device-keys.ts'
import { bytesOf, child, node, seconds } from '../frames/nodes.ts'
import { type Network, newMessageId } from '../network.ts'
import { type Account, type Device, lidJid, phoneJid, sender } from './accounts.ts'
import { textsIn } from './texts.ts'

type Attributes = Record<string, string>

/** What a device gets that requested a message again. */
interface Repeat {
  readonly count: number
  /** The keys for a new session; null keeps the session. */
  readonly keys: BinaryNode | null
}

/** Encrypts one message of a phone for one device and delivers it. Returns its id. */
export async function writeToDevice(
  network: Network,
  from: Account,
  device: Device,
  message: proto.IMessage,
  attrs: Attributes = {},
  repeat: Repeat | null = null,
  isBroken = false,
): Promise<string> {
  for (const text of textsIn(message)) network.texts.add(text)
  const jid = phoneJid(device.account, device.id)
  const { type, ciphertext } = await from.phone.write(jid, message, {
    findBundle: () => findKeys(network, jid),
    renewed: repeat?.keys ?? null,
  })
  const id = attrs.id ?? newMessageId()
  if (isBroken) ciphertext.reverse()
  else if (!repeat) from.written.set(`${jid}/${id}`, { message, attrs: { ...attrs, id } })
  const named = sender(from, 0, device.account === from ? 'phone' : network.addressing)
  const enc = node('enc', { v: '2', type, ...(repeat ? { count: String(repeat.count) } : {}) }, ciphertext)
  network.deliver(
    device,
    node('message', { ...named, id, t: seconds(), type: 'text', notify: from.name, ...attrs }, [enc]),
  )
  return id
}

/** Sends a message of a person to a number: each linked device gets a copy. Returns its id. */
export async function write(
  network: Network,
  from: string,
  to: string,
  message: proto.IMessage,
  attrs: Attributes = {},
): Promise<string> {
  const { accounts } = network
  const account = from.endsWith('@lid') ? accounts.getHidden(from.slice(0, -4)) : accounts.get(from)
  const id = attrs.id ?? newMessageId()
  // With this, the person can change the message later.
  const messageContextInfo = { messageSecret: randomBytes(32), ...message.messageContextInfo }
  for (const device of accounts.get(to).devices.values()) {
    await writeToDevice(network, account, device, { ...message, messageContextInfo }, { ...attrs, id })
  }
  return id
}

/**
 * Sends a message that the owner of a number writes on the phone: the linked devices get a copy of it. With `hidden`,
 * the copy names the recipient by the hidden id. Returns its id.
 */
export async function writeOnPhone(
  network: Network,
  owner: string,
  to: string,
  message: proto.IMessage,
  hidden = false,
): Promise<string> {
  const account = network.accounts.get(owner)
  const recipient = network.accounts.get(to)
  const destinationJid = hidden ? lidJid(recipient) : phoneJid(recipient)
  const alternate: Attributes = hidden ? { peer_recipient_pn: phoneJid(recipient) } : {}
  const id = newMessageId()
  for (const device of account.devices.values()) {
    const copy = { deviceSentMessage: { destinationJid, message } }
    await writeToDevice(network, account, device, copy, { id, recipient: destinationJid, ...alternate })
  }
  return id
}

/** Sends messages of a person that no device can decrypt, and that the person does not send again. */
export async function writeBroken(network: Network, from: string, to: string, ids: readonly string[]): Promise<void> {
  const [sender, receiver] = [network.accounts.get(from), network.accounts.get(to)]
  for (const id of ids) {
    for (const device of receiver.devices.values()) {
      await writeToDevice(network, sender, device, { conversation: id }, { id }, null, true)
    }
  }
}

const mostRepeats = 4

/** Sends a message again to a device that could not decrypt it, in a new session where it sent its keys. */
export async function writeAgain(network: Network, from: Account, device: Device, stanza: BinaryNode): Promise<void> {
  const jid = phoneJid(device.account, device.id)
  const written = from.written.get(`${jid}/${stanza.attrs.id}`)
  const count = Number(child(stanza, 'retry')?.attrs.count ?? 1)
  if (!written || count > mostRepeats) return
  const sent = child(stanza, 'keys')
  const fetched = count > 1 ? await findKeys(network, jid) : null
  const keys = sent ? sentKeys(jid, stanza, sent) : fetched
  await writeToDevice(network, from, device, written.message, written.attrs, { count, keys })
}

function sentKeys(jid: string, stanza: BinaryNode, keys: BinaryNode): BinaryNode {
  const signedPreKey = child(keys, 'skey')
  if (!signedPreKey) throw new Error('a device requested a message again without a signed pre-key')
  return keysNode(jid, {
    registration: bytesOf(child(stanza, 'registration')),
    identity: bytesOf(child(keys, 'identity')),
    signedPreKey,
    preKey: child(keys, 'key'),
  })
}
