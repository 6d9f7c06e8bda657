import {
  type BinaryNode,
  encodeSignedDeviceIdentity,
  jidDecode,
  jidNormalizedUser,
  type MessageRelayOptions,
  type PossiblyExtendedCacheStore,
  type proto,
  type WASocket,
} from 'baileys'
import { stanzaTypesOf } from '../message-form.ts'
import { stanza } from '../stanzas.ts'
import { deviceHash } from './device-hash.ts'

/** A message that left, with the devices that it was encrypted for. */
interface Fanout {
  readonly jid: string
  readonly message: proto.IMessage
  readonly options: MessageRelayOptions
  readonly devices: Set<string>
}

/** How many hashes that led to nothing are remembered. */
const mostExamined = 1000

/**
 * Compares the devices that each message was encrypted for with the hash that the network acknowledges it with. When
 * the network knows other devices, the list is queried again, and the message is sent to those that were left out.
 */
export class Fanouts {
  readonly #devices: PossiblyExtendedCacheStore
  readonly #byId = new Map<string, Fanout>()
  readonly #byMessage = new WeakMap<proto.IMessage, Fanout>()
  readonly #examined = new Set<string>()

  /** `devices` is what the library knows of the devices of people. */
  constructor(devices: PossiblyExtendedCacheStore) {
    this.#devices = devices
  }

  /** Called by the library with a message and the devices that it is encrypted for now. */
  readonly watch = (message: proto.IMessage, devices: readonly string[] = []): proto.IMessage => {
    const fanout = this.#byMessage.get(message.deviceSentMessage?.message ?? message)
    for (const device of devices) fanout?.devices.add(device)
    return message
  }

  /** A message is about to leave. Call {@link end} when the network has decided about it. */
  begin(jid: string, message: proto.IMessage, options: MessageRelayOptions): void {
    const fanout = { jid, message, options, devices: new Set<string>() }
    this.#byId.set(options.messageId ?? '', fanout)
    this.#byMessage.set(message, fanout)
  }

  end(id: string): void {
    this.#byId.delete(id)
  }

  /** Handles an acknowledgement of the network. */
  acknowledged(socket: WASocket, { attrs }: BinaryNode): void {
    const fanout = this.#byId.get(attrs.id ?? '')
    if (!fanout || !attrs.phash || attrs.error) return
    const { devices, jid } = fanout
    const own = ownDevice(socket, jid)
    // Clients agree that the sender counts; a network that leaves it out means the same.
    if ([deviceHash([...devices, own]), deviceHash(devices)].includes(attrs.phash)) return
    const examined = `${jid} ${attrs.phash}`
    if (this.#examined.has(examined)) return
    if (this.#examined.size >= mostExamined) this.#examined.clear()
    this.#examined.add(examined)
    // The connection may end before: then the next message finds the devices.
    this.#complete(socket, fanout, own).catch(() => undefined)
  }

  async #complete(socket: WASocket, fanout: Fanout, own: string): Promise<void> {
    const { jid, devices } = fanout
    for (const one of [jid, own]) await this.#devices.del(jidDecode(one)?.user ?? '')
    const known = await socket.getUSyncDevices([jidNormalizedUser(own), jid], true, false)
    const missing = known.map((device) => device.jid).filter((device) => !devices.has(device) && device !== own)
    if (missing.length > 0) await sendTo(socket, fanout, missing)
  }
}

/** Returns this device as a message to a person names it: by the hidden id, or by the number. */
function ownDevice({ authState: { creds } }: WASocket, jid: string): string {
  const { id = '', lid } = creds.me ?? {}
  return jid.endsWith('@lid') && lid ? lid : id
}

/** Sends a message to some devices more, by its own id. */
async function sendTo(socket: WASocket, { jid, message, options }: Fanout, devices: string[]): Promise<void> {
  const { creds } = socket.authState
  await socket.assertSessions(devices, false)
  const { attrs, encAttrs } = stanzaTypesOf(message)
  const copy = {
    deviceSentMessage: { destinationJid: jid, message },
    messageContextInfo: message.messageContextInfo ?? null,
  }
  const { nodes, shouldIncludeDeviceIdentity } = await socket.createParticipantNodes(devices, message, encAttrs, copy)
  const identity =
    shouldIncludeDeviceIdentity && creds.account
      ? [stanza('device-identity', {}, encodeSignedDeviceIdentity(creds.account, true))]
      : []
  const marks = options.additionalNodes ?? []
  const names = { id: options.messageId ?? '', to: jid, device_fanout: 'false' }
  const content = [stanza('participants', {}, nodes), ...identity, ...marks]
  await socket.sendNode(stanza('message', { ...names, ...attrs, ...options.additionalAttributes }, content))
}
