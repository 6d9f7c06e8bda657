import type { BinaryNode } from 'baileys'
import { attribute, bytesOf, child, children, node } from './frames/nodes.ts'
import type { Network } from './network.ts'
import type { Device } from './people/accounts.ts'

/** Handles a query about keys: a device counts, uploads or replaces its own, or fetches those of others. */
export async function handleKeys(
  network: Network,
  device: Device,
  stanza: BinaryNode,
): Promise<BinaryNode[] | undefined> {
  const [first] = children(stanza)
  if (first?.tag === 'count') return [node('count', { value: String(device.keys?.preKeys.length ?? 0) })]
  if (first?.tag === 'digest') return [node('digest')]
  if (stanza.attrs.type === 'set') {
    if (first?.tag !== 'rotate') upload(device, stanza)
    return undefined
  }
  const users = children(first, 'user').map((user) => findKeys(network, attribute(user, 'jid')))
  return [node('list', {}, await Promise.all(users))]
}

function upload(device: Device, stanza: BinaryNode): void {
  const signedPreKey = child(stanza, 'skey')
  if (!signedPreKey) throw new Error('a device uploaded keys without a signed pre-key')
  device.keys = {
    registration: bytesOf(child(stanza, 'registration')),
    identity: bytesOf(child(stanza, 'identity')),
    signedPreKey,
    preKeys: [...(device.keys?.preKeys ?? []), ...children(child(stanza, 'list'), 'key')],
  }
}

/** Returns the keys of one device with one pre-key, which is used up by that. */
export async function findKeys(network: Network, jid: string): Promise<BinaryNode> {
  const { account, device } = network.accounts.at(jid)
  const companion = account?.devices.get(device)?.keys
  const phone = device === 0 ? account?.phone : account?.companions.get(device)?.keys
  if (phone) {
    const { registration, identity, signedPreKey, preKey } = await phone.makeBundle()
    return keysNode(jid, { registration, identity, signedPreKey, preKey })
  }
  if (!companion) return node('user', { jid }, [node('error', { code: '404', text: 'item-not-found' })])
  return keysNode(jid, { ...companion, preKey: companion.preKeys.shift() })
}

/** Makes the stanza of the keys of one device. */
export function keysNode(
  jid: string,
  keys: { registration: Uint8Array; identity: Uint8Array; signedPreKey: BinaryNode; preKey: BinaryNode | undefined },
): BinaryNode {
  return node('user', { jid }, [
    node('registration', {}, keys.registration),
    node('type', {}, Buffer.from([5])),
    node('identity', {}, keys.identity),
    keys.signedPreKey,
    ...(keys.preKey ? [keys.preKey] : []),
  ])
}
