import { type BinaryNode, getBinaryNodeChild, jidDecode, type PossiblyExtendedCacheStore, type WASocket } from 'baileys'

/**
 * Drops what is known of the devices of a person, or of the account itself, when the network says that they have
 * changed: the next message queries them again. The library changes one of the two lists that a person can have, by
 * the number and by the hidden id, and none of the account.
 */
export function dropChangedDevices(socket: WASocket, devices: PossiblyExtendedCacheStore): void {
  const drop = async (jids: readonly (string | undefined)[]) => {
    for (const jid of new Set(jids)) await devices.del(jidDecode(jid)?.user ?? '')
  }
  socket.ws.on('CB:notification,type:devices', ({ attrs }: BinaryNode) => void drop([attrs.from, attrs.lid]))
  socket.ws.on('CB:notification,type:account_sync', (notification: BinaryNode) => {
    const { me } = socket.authState.creds
    if (getBinaryNodeChild(notification, 'devices')) void drop([notification.attrs.from, me?.id, me?.lid])
  })
}
