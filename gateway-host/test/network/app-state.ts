import type { BinaryNode } from 'baileys'
import { attribute, bytesOf, child, children, node } from './frames/nodes.ts'
import type { Network } from './network.ts'
import type { Account } from './people/accounts.ts'

/** Stores patches of application state, and returns the ones that a device has not seen. */
export function handleAppState(network: Network, account: Account, stanza: BinaryNode): BinaryNode {
  const collections = children(child(stanza, 'sync'), 'collection').map((collection) => {
    const name = attribute(collection, 'name')
    const key = `${account.digits}/${name}`
    const patches = network.appState.get(key) ?? []
    network.appState.set(key, patches)
    const patch = child(collection, 'patch')
    if (patch) {
      patches.push(bytesOf(patch))
      return node('collection', { name, version: String(patches.length) })
    }
    const unseen = patches.slice(Number(collection.attrs.version ?? 0)).map((bytes) => node('patch', {}, bytes))
    const attrs = { name, version: String(patches.length), has_more_patches: 'false' }
    return node('collection', attrs, unseen.length > 0 ? [node('patches', {}, unseen)] : [])
  })
  return node('sync', {}, collections)
}
