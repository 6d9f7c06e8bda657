import { randomBytes } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { proto } from 'baileys'
import type { Account, Connection, Device } from './accounts.ts'
import type { Network } from './network.ts'
import { node, seconds, serverJid } from './nodes.ts'
import { writeToDevice } from './writing.ts'

const { Type } = proto.Message.ProtocolMessage

/** Delivers to a device that has logged in what waited for it. The phone of a new one shares its keys and history. */
export function welcome(network: Network, connection: Connection): void {
  const { device } = connection
  if (!device) return
  const waiting = [...device.pending.values()]
  const count = String(waiting.length)
  connection.send(node('ib', { from: serverJid }, [node('offline_preview', { count })]))
  for (const stanza of waiting) connection.send({ ...stanza, attrs: { ...stanza.attrs, offline: '1' } })
  connection.send(node('ib', { from: serverJid }, [node('offline', { count })]))
  if (!device.isNew) return
  device.isNew = false
  network.after(20, () => share(network, device.account, device))
}

/** Shares the key of the application state, and recent conversations. */
async function share(network: Network, account: Account, device: Device): Promise<void> {
  account.stateKey ??= newStateKey()
  const keys = { type: Type.APP_STATE_SYNC_KEY_SHARE, appStateSyncKeyShare: { keys: [account.stateKey] } }
  await writeToDevice(network, account, device, { protocolMessage: keys }, { category: 'peer' })
  const history = proto.HistorySync.encode(
    proto.HistorySync.fromObject({
      syncType: proto.HistorySync.HistorySyncType.INITIAL_BOOTSTRAP,
      conversations: account.history,
      pushnames: [],
      phoneNumberToLidMappings: [],
      chunkOrder: 1,
      progress: 100,
    }),
  ).finish()
  const historySyncNotification = {
    syncType: proto.HistorySync.HistorySyncType.INITIAL_BOOTSTRAP,
    chunkOrder: 1,
    progress: 100,
    fileLength: history.length,
    initialHistBootstrapInlinePayload: deflateSync(history),
  }
  const notice = { type: Type.HISTORY_SYNC_NOTIFICATION, historySyncNotification }
  await writeToDevice(network, account, device, { protocolMessage: notice }, { category: 'peer' })
}

function newStateKey(): proto.Message.IAppStateSyncKey {
  const fingerprint = { rawId: 1, currentIndex: 0, deviceIndexes: [0] }
  return {
    keyId: { keyId: randomBytes(6) },
    keyData: { keyData: randomBytes(32), fingerprint, timestamp: Number(seconds()) },
  }
}
