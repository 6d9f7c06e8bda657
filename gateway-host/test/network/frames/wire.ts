import { type BinaryNode, Curve, decodeBinaryNode, encodeBinaryNode, type KeyPair, proto } from 'baileys'
import type { WebSocket } from 'ws'
import type { NetworkIdentity } from './identity.ts'
import { Noise } from './noise.ts'

/** What a connection reports to the network. */
export interface WireEvents {
  /** The handshake is over. */
  onLogin(payload: proto.IClientPayload): void
  onStanza(stanza: BinaryNode): Promise<void> | void
  onClose(): void
}

/** One connection of a device. */
export interface Wire {
  /** Returns whether the stanza was written. */
  send(stanza: BinaryNode): boolean
  close(): void
  /** Cuts the connection as a broken cable does, without a word. */
  cut(): void
}

/** The header of a connection: two letters and a version. */
const headerBytes = 4

/** Returns where the header starts: `ED` and a hint for routing may stand before it. */
function headerStart(bytes: Buffer): number {
  return bytes[0] === 0x45 && bytes[1] === 0x44 ? 7 + bytes.readUIntBE(4, 3) : 0
}

/** Accepts a connection: performs the handshake, then decrypts and encrypts stanzas. A fault ends the connection. */
export function acceptWire(socket: WebSocket, identity: NetworkIdentity, events: WireEvents): Wire {
  const noise = new Noise()
  const handshake = handshakeOf(noise, identity, { write: writeFrame, header: () => header })
  let buffered = Buffer.alloc(0)
  let header = Buffer.alloc(0)
  let queue = Promise.resolve()

  function writeFrame(bytes: Uint8Array): void {
    const length = Buffer.alloc(3)
    length.writeUIntBE(bytes.length, 0, 3)
    socket.send(Buffer.concat([length, bytes]))
  }

  async function readFrame(body: Buffer): Promise<void> {
    if (noise.isReady) return events.onStanza(await decodeBinaryNode(noise.decryptFrame(body)))
    const payload = handshake(proto.HandshakeMessage.decode(body))
    if (payload) events.onLogin(payload)
  }

  async function feed(data: Buffer): Promise<void> {
    buffered = Buffer.concat([buffered, data])
    if (header.length === 0) {
      if (buffered.length < headerBytes) return
      const start = headerStart(buffered)
      header = buffered.subarray(start, start + headerBytes)
      noise.mixHash(header)
      buffered = buffered.subarray(start + headerBytes)
    }
    while (buffered.length >= 3) {
      const end = 3 + buffered.readUIntBE(0, 3)
      if (buffered.length < end) return
      const body = buffered.subarray(3, end)
      buffered = buffered.subarray(end)
      await readFrame(body)
    }
  }

  socket.on('message', (data: Buffer) => {
    queue = queue.then(() => feed(data)).catch(() => socket.close())
  })
  socket.on('close', () => events.onClose())
  socket.on('error', () => undefined)
  return {
    send(stanza) {
      if (socket.readyState !== socket.OPEN || !noise.isReady) return false
      writeFrame(noise.encryptFrame(encodeBinaryNode(stanza)))
      return true
    },
    close: () => socket.close(),
    cut: () => socket.terminate(),
  }
}

/** Returns what takes the two messages of a device, and returns its payload after the second. */
function handshakeOf(
  noise: Noise,
  identity: NetworkIdentity,
  { write, header }: { readonly write: (bytes: Uint8Array) => void; readonly header: () => Buffer },
) {
  let ephemeral: KeyPair | null = null
  return ({ clientHello, clientFinish }: proto.IHandshakeMessage): proto.IClientPayload | null => {
    if (clientHello?.ephemeral) {
      ephemeral = Curve.generateKeyPair()
      const theirs = clientHello.ephemeral
      if (clientHello.static?.length) noise.fallBack(header())
      noise.mixHash(theirs)
      noise.mixHash(ephemeral.public)
      noise.mixKey(Curve.sharedKey(ephemeral.private, theirs))
      const fixed = noise.encrypt(identity.leaf.public)
      noise.mixKey(Curve.sharedKey(identity.leaf.private, theirs))
      const payload = noise.encrypt(identity.chain)
      write(
        proto.HandshakeMessage.encode({
          serverHello: { ephemeral: ephemeral.public, static: fixed, payload },
        }).finish(),
      )
      return null
    }
    if (!ephemeral || !clientFinish?.static || !clientFinish.payload) throw new Error('the handshake has another order')
    const theirStatic = noise.decrypt(clientFinish.static)
    noise.mixKey(Curve.sharedKey(ephemeral.private, theirStatic))
    const payload = proto.ClientPayload.decode(noise.decrypt(clientFinish.payload))
    noise.split()
    return payload
  }
}
