import { chatModificationToAppPatch, encodeSyncdPatch, type LTHashState, newLTHashState, proto } from 'baileys'
import { phoneJid } from './accounts.ts'
import { type Network, newMessageId } from './network.ts'
import { node, seconds, serverJid } from './nodes.ts'

const states = new WeakMap<Network, Map<string, LTHashState>>()

/**
 * Saves a person in the address book of a phone: a patch of application state, encrypted with the key that the phone
 * has shared, of which its devices are notified. Throws an Error for a phone that has not shared its key yet.
 */
export async function saveContact(network: Network, owner: string, digits: string, name: string): Promise<void> {
  network.texts.add(name)
  const account = network.accounts.get(owner)
  const key = account.stateKey
  if (!key?.keyId?.keyId || !key.keyData) throw new Error('the phone has not shared its key yet')
  const jid = phoneJid(network.accounts.get(digits))
  const patch = chatModificationToAppPatch(
    { contact: { fullName: name, firstName: name, saveOnPrimaryAddressbook: true } },
    jid,
  )
  const known = states.get(network) ?? new Map<string, LTHashState>()
  states.set(network, known)
  const collection = `${owner}/${patch.type}`
  const keyId = Buffer.from(key.keyId.keyId).toString('base64')
  const before = known.get(collection) ?? newLTHashState()
  const encoded = await encodeSyncdPatch(patch, keyId, before, async () => key.keyData ?? undefined)
  known.set(collection, encoded.state)
  const patches = network.appState.get(collection) ?? []
  network.appState.set(collection, patches)
  patches.push(Buffer.from(proto.SyncdPatch.encode(encoded.patch).finish()))
  const changed = node('collection', { name: patch.type, version: String(patches.length) })
  for (const device of account.devices.values()) {
    const attrs = { from: serverJid, type: 'server_sync', id: newMessageId(), t: seconds() }
    network.deliver(device, node('notification', attrs, [changed]))
  }
}
