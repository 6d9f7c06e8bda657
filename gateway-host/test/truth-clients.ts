import { jidNormalizedUser, type proto } from 'baileys'
import { WebSocket } from 'ws'
import { createStore, type WaAuthCredentials, WaClient, type WaStoreBackend } from 'zapo-js'
import { type LinkBy, linkStockClient } from './stock-client.ts'

/** A client of other authors that is linked with a phone. */
export interface TruthClient {
  send(digits: string, text: string): Promise<unknown>
  /** Texts that arrived. */
  readonly texts: readonly string[]
  /** The types of receipts of messages that it sent. A client may report only the last one. */
  readonly receipts: readonly string[]
  close(): Promise<unknown>
}

/** Links a client with the network at an address whose root key is given. */
type LinkClient = (network: { readonly url: string; readonly root: Buffer }, by: LinkBy) => Promise<TruthClient>

const jidOf = (digits: string) => `${digits}@s.whatsapp.net`

const linkBaileys: LinkClient = async ({ url }, by) => {
  const { socket } = await linkStockClient(url, by)
  const [texts, receipts]: [string[], string[]] = [[], []]
  socket.ev.on('messages.upsert', ({ messages }) => {
    for (const { message } of messages) if (message?.conversation) texts.push(message.conversation)
  })
  const names: Readonly<Record<number, string>> = { 3: 'delivered', 4: 'read' }
  socket.ev.on('messages.update', (updates) => {
    for (const { update } of updates) receipts.push(names[update.status ?? 0] ?? '')
  })
  return {
    send: (digits, text) => socket.sendMessage(jidNormalizedUser(jidOf(digits)), { text }),
    texts,
    receipts,
    close: async () => socket.end(undefined),
  }
}

/** The library keeps everything in memory but the credentials, for which it wants a store. */
function credentialsInMemory(): WaStoreBackend {
  let stored: WaAuthCredentials | null = null
  const auth = {
    load: async () => stored,
    async save(credentials: WaAuthCredentials) {
      stored = credentials
    },
    async clear() {
      stored = null
    },
  }
  return { stores: { auth: () => auth }, caches: {} } as unknown as WaStoreBackend
}

const linkZapo: LinkClient = async ({ url, root }, by) => {
  // The library uses the global WebSocket of newer releases of Node.
  globalThis.WebSocket ??= WebSocket as unknown as typeof globalThis.WebSocket
  const client = new WaClient({
    store: createStore({ backends: { truth: credentialsInMemory() }, providers: { auth: 'truth' } }),
    sessionId: 'truth',
    chatSocketUrls: [url],
    testHooks: { noiseRootCa: { publicKey: root.subarray(-32), serial: 0 } },
  })
  const [texts, receipts]: [string[], string[]] = [[], []]
  client.on('message', ({ message }: { message?: proto.IMessage }) => {
    const text = message?.conversation ?? message?.extendedTextMessage?.text
    if (text) texts.push(text)
  })
  client.on('message_receipt', ({ stanzaType }: { stanzaType?: string }) => receipts.push(stanzaType ?? 'delivered'))
  let requested = false
  client.on('auth_qr', ({ qr }: { qr: string }) => {
    if ('onQr' in by) by.onQr(qr)
    else if (!requested) {
      requested = true
      void client.requestPairingCode(by.phone).then(by.onCode)
    }
  })
  const linked = new Promise<void>((resolve) => {
    client.on('connection_success', () => resolve())
  })
  await client.connect()
  await linked
  return {
    send: (digits, text) => client.sendMessage(jidOf(digits), text),
    texts,
    receipts,
    close: () => client.disconnect(),
  }
}

/** A client of other authors, and what it needs of a network. */
interface TruthClientKind {
  readonly link: LinkClient
  /** Whether the network ends its connection once it has accepted its link, so that it connects again. */
  readonly isEndedAfterLink: boolean
}

/** Every client that the npm registry has and that takes an address and a root key by its own options. */
export const truthClients: Readonly<Record<string, TruthClientKind>> = {
  'baileys 7.0.0-rc14': { link: linkBaileys, isEndedAfterLink: true },
  // It connects again by itself, a millisecond after it has accepted its link. The order of the network (515) comes
  // later over the internet. Where it comes first, this release deletes its new link, and shows a QR for another one:
  // https://github.com/vinikjkkj/zapo/pull/143 corrected that.
  'zapo-js 0.3.0': { link: linkZapo, isEndedAfterLink: false },
}
