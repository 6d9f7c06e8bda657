import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import { proto } from 'baileys'
import { node, seconds, serverJid } from '../frames/nodes.ts'
import type { Network } from '../network.ts'
import type { Account, Connection, Device } from './accounts.ts'
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
  const chunks = chunksOf(account.history)
  for (const [index, conversations] of chunks.entries()) {
    const order = { chunkOrder: index + 1, progress: Math.floor((100 * (index + 1)) / chunks.length) }
    await shareChunk(network, account, device, { conversations, order })
  }
}

/** What a phone puts into one message, in characters of texts; the rest goes into the next one. */
const mostCharacters = 4_000_000

/** Splits a history between chats. A history of nothing is one chunk. */
function chunksOf(history: readonly proto.IConversation[]): proto.IConversation[][] {
  const chunks: proto.IConversation[][] = [[]]
  let size = 0
  for (const conversation of history) {
    const texts = conversation.messages?.map(({ message }) => message?.message?.conversation?.length ?? 0) ?? []
    size += texts.reduce((sum, length) => sum + length, 0)
    if (size > mostCharacters) {
      chunks.push([])
      size = 0
    }
    chunks.at(-1)?.push(conversation)
  }
  return chunks
}

/** Shares a part of a history. */
async function shareChunk(
  network: Network,
  account: Account,
  device: Device,
  chunk: { conversations: proto.IConversation[]; order: { chunkOrder: number; progress: number } },
): Promise<void> {
  const { INITIAL_BOOTSTRAP, RECENT } = proto.HistorySync.HistorySyncType
  const syncType = chunk.order.chunkOrder === 1 ? INITIAL_BOOTSTRAP : RECENT
  const { conversations, order } = chunk
  const history = proto.HistorySync.encode(
    proto.HistorySync.fromObject({ syncType, conversations, pushnames: [], phoneNumberToLidMappings: [], ...order }),
  ).finish()
  const historySyncNotification = {
    syncType,
    ...order,
    fileLength: history.length,
    initialHistBootstrapInlinePayload: await promisify(deflate)(history),
  }
  const notice = { type: Type.HISTORY_SYNC_NOTIFICATION, historySyncNotification }
  await writeToDevice(network, account, device, { protocolMessage: notice }, { category: 'peer' })
}

/** Makes a history of one chat with so many messages, of words that can hardly be compressed. */
export function makeHistory(chat: string, messages: number, bytes: number): proto.IConversation[] {
  const textOf = () => randomBytes(bytes).toString('base64').slice(0, bytes)
  const all = Array.from({ length: messages }, (_, n) => ({
    message: {
      key: { remoteJid: chat, fromMe: false, id: `HISTORY${n}` },
      message: { conversation: textOf() },
      messageTimestamp: 1_790_000_000 + n,
    },
  }))
  return Array.from({ length: Math.ceil(messages / 1000) }, (_, n) => ({
    id: chat,
    messages: all.slice(n * 1000, (n + 1) * 1000),
  }))
}

function newStateKey(): proto.Message.IAppStateSyncKey {
  const fingerprint = { rawId: 1, currentIndex: 0, deviceIndexes: [0] }
  return {
    keyId: { keyId: randomBytes(6) },
    keyData: { keyData: randomBytes(32), fingerprint, timestamp: Number(seconds()) },
  }
}
