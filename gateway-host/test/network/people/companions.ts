import { createHash } from 'node:crypto'
import type { BinaryNode } from 'baileys'
import { attribute, bytesOf, child, children, node, seconds, serverJid } from '../frames/nodes.ts'
import { type Network, newMessageId } from '../network.ts'
import { type Account, type Connection, lidJid, phoneJid } from './accounts.ts'
import { Phone } from './phone.ts'

/** Another device of a person, such as a browser: it reads what its account is sent. */
export interface Companion {
  readonly keys: Phone
  /** The ids of the messages that it has decrypted. */
  readonly read: string[]
}

/** Returns the devices of an account: its phone, what is linked by tests, and its companions. */
export function deviceIdsOf({ devices, companions }: Account): number[] {
  return [0, ...devices.keys(), ...companions.keys()]
}

/** Links another device to the phone of an account. Numbers that are connected are notified, if they are to be. */
export function linkCompanion(network: Network, account: Account, isNotified: boolean): number {
  const id = account.nextDevice++
  account.companions.set(id, { keys: new Phone(), read: [] })
  if (!isNotified) return id
  for (const { device } of network.connections) {
    if (device) network.deliver(device, device.account === account ? ownNotice(account) : noticeOf(account, id))
  }
  return id
}

function noticeOf(account: Account, id: number): BinaryNode {
  const attrs = { from: phoneJid(account), lid: lidJid(account), type: 'devices', id: newMessageId(), t: seconds() }
  const hashes = { device_hash: hashOf(devicesOf(account)), device_lid_hash: hashOf(devicesOf(account, lidJid)) }
  const device = node('device', { jid: phoneJid(account, id), lid: lidJid(account, id), 'key-index': String(id) })
  return node('notification', attrs, [node('add', hashes, [device, node('key-index-list', { ts: seconds() })])])
}

function ownNotice(account: Account): BinaryNode {
  const attrs = { from: phoneJid(account), type: 'account_sync', id: newMessageId(), t: seconds() }
  const devices = devicesOf(account).map((jid) => node('device', { jid }))
  return node('notification', attrs, [node('devices', { dhash: hashOf(devicesOf(account)) }, devices)])
}

function devicesOf(account: Account, nameOf = phoneJid): string[] {
  return deviceIdsOf(account).map((id) => nameOf(account, id))
}

/** Returns the hash of a list of devices: the first bytes of the digest of their names, each with agent and device. */
function hashOf(jids: readonly string[]): string {
  const full = jids.map((jid) => jid.replace(/^(\d+)(?::(\d+))?@/, (_, user, device = '0') => `${user}.0:${device}@`))
  const digest = createHash('sha256').update(full.sort().join('')).digest()
  return `2:${digest.subarray(0, 6).toString('base64')}`
}

/** Returns what an acknowledgement says about the devices that a message should have been encrypted for. */
export function hashFor(network: Network, { device }: Connection, stanza: BinaryNode): Record<string, string> {
  const to = attribute(stanza, 'to')
  const { account } = network.accounts.at(to)
  const isFanout = child(stanza, 'participants') !== undefined && stanza.attrs.device_fanout !== 'false'
  if (!network.rules.applies('device-hash') || !account || !device || !isFanout || to === serverJid) return {}
  const nameOf = to.endsWith('@lid') ? lidJid : phoneJid
  const all = new Set([account, device.account].flatMap((one) => devicesOf(one, nameOf)))
  const named = children(child(stanza, 'participants'), 'to').map((copy) => attribute(copy, 'jid'))
  const known = new Set([...named, nameOf(device.account, device.id)])
  const isComplete = [...all].every((jid) => known.has(jid))
  const leftOut = isComplete ? 0 : (device.leftOut.get(to) ?? 0) + 1
  device.leftOut.set(to, leftOut)
  // Two may be on their way before the hash of the first one arrives.
  network.rules.breaks('device-hash', leftOut > 2)
  return { phash: hashOf([...all]) }
}

/** Decrypts the copy of a message for a companion, if it is for one. */
export async function readOnCompanion(
  network: Network,
  { account, device }: { account: Account; device: number },
  stanza: BinaryNode,
): Promise<void> {
  const companion = account.companions.get(device)
  const enc = child(stanza, 'enc')
  const writer = network.accounts.at(attribute(stanza, 'from'))
  if (!companion || !enc || !writer.account) return
  const type = enc.attrs.type === 'pkmsg' ? 'pkmsg' : 'msg'
  await companion.keys.read(phoneJid(writer.account, writer.device), { type, ciphertext: bytesOf(enc) })
  companion.read.push(attribute(stanza, 'id'))
}
