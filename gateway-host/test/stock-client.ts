import makeSocket, {
  type AuthenticationCreds,
  Browsers,
  DisconnectReason,
  initAuthCreds,
  type SignalKeyStore,
  type SocketConfig,
  type WASocket,
} from 'baileys'
import { silentLogger } from '../src/engine/baileys/silent-logger.ts'
import { memoryKeys } from './network/people/memory-keys.ts'

/** A device as the library makes it without changes, with its keys in memory. */
export interface StockClient {
  readonly socket: WASocket
  readonly creds: AuthenticationCreds
}

/** How the phone links a client: by the text of its QR, or by a code. */
export type LinkBy = { onQr: (qr: string) => unknown } | { phone: string; onCode: (code: string) => unknown }

/** Links a client with a network. Throws the error of the library when the network refuses it. */
export function linkStockClient(
  url: string,
  by: LinkBy,
  options: Partial<Pick<SocketConfig, 'qrTimeout' | 'version'>> = {},
): Promise<StockClient> {
  const creds = initAuthCreds()
  const keys = memoryKeys()
  return new Promise((resolve, reject) => {
    let requested = false
    const connect = () => {
      const socket = openSocket(url, creds, keys, options)
      socket.ev.on('connection.update', ({ connection, lastDisconnect, qr }) => {
        if (qr && 'onQr' in by) by.onQr(qr)
        if (qr && 'onCode' in by && !requested) {
          requested = true
          socket.requestPairingCode(by.phone).then(by.onCode).catch(reject)
        }
        if (connection === 'open') resolve({ socket, creds })
        if (connection !== 'close') return
        const error = lastDisconnect?.error as { output?: { statusCode?: number } } | undefined
        if (error?.output?.statusCode === DisconnectReason.restartRequired) connect()
        else reject(error)
      })
    }
    connect()
  })
}

/** Opens a socket of a device that is not linked, and resolves when the network offers it a QR. */
export function openUnlinked(url: string): Promise<WASocket> {
  const socket = openSocket(url, initAuthCreds(), memoryKeys())
  return new Promise((resolve) => socket.ev.on('connection.update', ({ qr }) => qr && resolve(socket)))
}

function openSocket(
  url: string,
  creds: AuthenticationCreds,
  keys: SignalKeyStore,
  options: Partial<SocketConfig> = {},
): WASocket {
  return makeSocket({
    auth: { creds, keys },
    logger: silentLogger,
    waWebSocketUrl: url,
    browser: Browsers.ubuntu('Chrome'),
    version: [2, 3000, 1],
    markOnlineOnConnect: false,
    syncFullHistory: false,
    ...options,
  })
}
