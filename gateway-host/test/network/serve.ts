import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { BinaryNode } from 'baileys'
import { type WebSocket, WebSocketServer } from 'ws'
import { handleControl } from './control.ts'
import { attribute, children, node } from './frames/nodes.ts'
import { acceptWire } from './frames/wire.ts'
import { login } from './login.ts'
import { handleMessage } from './messages.ts'
import type { Network } from './network.ts'
import { type Connection, phoneJid } from './people/accounts.ts'
import { handleQuery } from './queries.ts'
import { handleReceipt } from './receipts.ts'
import { isMisaddressed } from './rules/demands.ts'

/** A test network that listens. */
export interface ServedNetwork {
  /** Where devices connect. */
  readonly url: string
  /** Where tests control it over HTTP. */
  readonly controlUrl: string
  close(): Promise<void>
}

/** Lets devices connect to a network on a port of the loopback address (default: any free port). */
export async function serveNetwork(network: Network, port = 0): Promise<ServedNetwork> {
  const http = createServer((request, response) => handleControl(network, request, response))
  const sockets = new WebSocketServer({ server: http })
  sockets.on('connection', (socket) => accept(network, socket))
  await listen(http, port)
  const { port: used } = http.address() as AddressInfo
  return {
    url: `ws://127.0.0.1:${used}/ws/chat`,
    controlUrl: `http://127.0.0.1:${used}`,
    async close() {
      for (const socket of sockets.clients) socket.terminate()
      sockets.close()
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}

async function listen(http: Server, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject)
    http.listen(port, '127.0.0.1', resolve)
  })
}

function accept(network: Network, socket: WebSocket): void {
  const wire = acceptWire(socket, network.identity, {
    onLogin: (payload) => login(network, connection, payload),
    onStanza: (stanza) => network.track(() => handleStanza(network, connection, stanza)),
    onClose() {
      network.connections.delete(connection)
      if (connection.device?.connection === connection) connection.device.connection = null
    },
  })
  const { send } = wire
  const connection: Connection = Object.assign(wire, {
    send: (stanza: BinaryNode) => !network.faults.isMute && send(stanza),
    device: null,
    pairing: null,
    revision: 0,
    isReplaced: false,
  })
  network.connections.add(connection)
}

async function handleStanza(network: Network, connection: Connection, stanza: BinaryNode): Promise<void> {
  if (network.faults.isMute) return
  network.onStanza?.(connection, stanza)
  // Frames of a replaced connection still arrive for a moment.
  if (connection.isReplaced) return
  if (network.faults.latencyMs > 0) await wait(network.faults.latencyMs)
  switch (stanza.tag) {
    case 'iq':
      return handleQuery(network, connection, stanza)
    case 'message':
      return handleMessage(network, connection, stanza)
    case 'receipt':
      return handleReceipt(network, connection, stanza)
    case 'ack': {
      const { class: tag, id, type = '' } = stanza.attrs
      connection.device?.pending.delete(`${tag}/${id}${tag === 'message' ? '' : type}`)
      return
    }
    case 'presence':
      return handlePresence(network, connection, stanza)
    case 'chatstate':
      return handleTyping(network, connection, stanza)
  }
}

function handlePresence({ rules }: Network, { device }: Connection, { attrs }: BinaryNode): void {
  if (attrs.to !== undefined) return
  const isAvailable = rules.breaks('silent-presence', attrs.type === undefined)
  const shown = isAvailable ? 'available' : attrs.type
  if (shown) device?.account.presence.push(shown)
}

function handleTyping(network: Network, connection: Connection, stanza: BinaryNode): void {
  const { account } = network.accounts.at(attribute(stanza, 'to'))
  const [first] = children(stanza)
  if (!account || !connection.device || !first) return
  const by = connection.device.account
  if (isMisaddressed(network, by, attribute(stanza, 'to'))) return
  account.typing.push({ by: by.digits, state: first.tag })
  for (const { connection: other } of account.devices.values()) {
    other?.send(node('chatstate', { from: phoneJid(by) }, stanza.content))
  }
}
