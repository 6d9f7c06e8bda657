import type { proto } from 'baileys'
import { node, seconds } from './frames/nodes.ts'
import { offerLink } from './linking.ts'
import type { Network } from './network.ts'
import type { Connection } from './people/accounts.ts'
import { lidJid } from './people/accounts.ts'

/** Handles the payload of a handshake: a device that wants to be linked, or one that is. */
export function login(network: Network, connection: Connection, payload: proto.IClientPayload): void {
  connection.revision = payload.userAgent?.appVersion?.tertiary ?? 0
  if (network.rules.breaks('old-version-not-linked', connection.revision < network.oldest.loggedIn)) {
    network.end(connection, node('failure', { reason: '405', location: 'test' }))
    return
  }
  if (payload.devicePairingData) {
    offerLink(network, connection)
    return
  }
  const account = network.accounts.find(String(payload.username))
  const device = account?.devices.get(payload.device ?? 0)
  if (!account || !device || account.refusal) {
    network.end(connection, node('failure', account?.refusal ?? { reason: '401', location: 'test' }))
    return
  }
  if (device.connection) {
    network.counts.replaced++
    device.connection.isReplaced = true
    network.end(device.connection, node('stream:error', {}, [node('conflict', { type: 'replaced' })]))
  }
  network.counts.logins++
  connection.device = device
  device.connection = connection
  const lid = lidJid(account, device.id)
  connection.send(
    node('success', { t: seconds(), props: '1', companion_enc_static: '', lid, creation: seconds(), location: 'test' }),
  )
}
