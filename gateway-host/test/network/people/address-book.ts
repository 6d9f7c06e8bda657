import {
  chatModificationToAppPatch,
  encodeSyncdPatch,
  type LTHashState,
  newLTHashState,
  proto,
  type WAPatchCreate,
} from 'baileys'
import { saltIndex } from '../../../src/engine/baileys/contact-salt.ts'
import { node, seconds, serverJid } from '../frames/nodes.ts'
import { type Network, newMessageId } from '../network.ts'
import { phoneJid } from './accounts.ts'

const states = new WeakMap<Network, Map<string, LTHashState>>()

/** Saves a person in the address book of a phone. Throws an Error for a phone that has not shared its key yet. */
export async function saveContact(network: Network, owner: string, digits: string, name: string): Promise<void> {
  network.texts.add(name)
  const jid = phoneJid(network.accounts.get(digits))
  await share(
    network,
    owner,
    chatModificationToAppPatch({ contact: { fullName: name, firstName: name, saveOnPrimaryAddressbook: true } }, jid),
  )
}

/**
 * Gives an account a salt for the tokens of its messages, which its phone shares. From then on the network demands
 * them. Throws an Error for a phone that has not shared its key yet.
 */
export async function provideSalt(network: Network, owner: string, salt: Buffer): Promise<void> {
  writeSalts()
  const syncAction = { localeSetting: { locale: salt.toString('base64') } }
  const { SET } = proto.SyncdMutation.SyncdOperation
  await share(network, owner, { type: 'regular_high', index: [saltIndex], syncAction, apiVersion: 7, operation: SET })
  network.accounts.get(owner).salt = salt
}

/**
 * Shares a change of application state: encrypted with the key that the phone has shared, and its devices are notified.
 */
async function share(network: Network, owner: string, patch: WAPatchCreate): Promise<void> {
  const account = network.accounts.get(owner)
  const key = account.stateKey
  if (!key?.keyId?.keyId || !key.keyData) throw new Error('the phone has not shared its key yet')
  const known = states.get(network) ?? new Map<string, LTHashState>()
  states.set(network, known)
  const collection = `${owner}/${patch.type}`
  const keyId = Buffer.from(key.keyId.keyId).toString('base64')
  const before = known.get(collection) ?? newLTHashState()
  const encoded = await encodeSyncdPatch(patch, keyId, before, async () => key.keyData ?? undefined)
  known.set(collection, encoded.state)
  const patches = network.appState.get(collection) ?? []
  network.appState.set(collection, patches)
  const version = { version: patches.length + 1 }
  patches.push(Buffer.from(proto.SyncdPatch.encode({ ...encoded.patch, version }).finish()))
  const changed = node('collection', { name: patch.type, version: String(patches.length) })
  for (const device of account.devices.values()) {
    const attrs = { from: serverJid, type: 'server_sync', id: newMessageId(), t: seconds() }
    network.deliver(device, node('notification', attrs, [changed]))
  }
}

/** The fields of a value in a part of application state, of the salt in it, and of its bytes. */
const [valueTag, saltTag, bytesTag] = [0x12, 0x282, 0x0a]

/** Lets the library write a salt, for which it has no field, in place of a locale. */
function writeSalts(): void {
  const { encode } = proto.SyncActionData
  if (Reflect.has(encode, 'writesSalts')) return
  const writing: typeof encode = (data, writer) => {
    const isSalt = Buffer.from(data.index ?? []).toString() === JSON.stringify([saltIndex])
    if (!isSalt) return encode(data, writer)
    const salt = Buffer.from(data.value?.localeSetting?.locale ?? '', 'base64')
    const { value: _, ...others } = data
    const fields = encode(others, writer).uint32(valueTag).fork().uint32(saltTag).fork()
    return fields.uint32(bytesTag).bytes(salt).ldelim().ldelim()
  }
  proto.SyncActionData.encode = Object.assign(writing, { writesSalts: true })
}
