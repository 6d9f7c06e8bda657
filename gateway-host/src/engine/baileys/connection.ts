import type { ClientRequest, IncomingMessage } from 'node:http'
import { downloadFile } from '@msgctl/network/files/download'
import makeSocket, {
  type BinaryNode,
  Browsers,
  buildAckStanza,
  type ConnectionState,
  isJidNewsletter,
  isJidStatusBroadcast,
  isLidUser,
  proto,
  type WASocket,
} from 'baileys'
import { receiptEvents } from '../../translate/receipts.ts'
import { Fenced } from '../../vault/fenced.ts'
import { holdFrames } from '../../vault/frame-gate.ts'
import type { Vault } from '../../vault/vault.ts'
import type { Connection, ConnectionConfig, ConnectionEvents, RelayOptions, Translator } from '../engine.ts'
import { ConnectionLost, Refused } from '../failures.ts'
import { Acknowledgements } from './acknowledgements.ts'
import { closingOf, noUpgrade } from './closing.ts'
import { ContactTokens } from './contact-tokens.ts'
import { Addressing, type WireAddress } from './devices/addressing.ts'
import { deviceCache } from './devices/device-cache.ts'
import { dropChangedDevices } from './devices/device-notices.ts'
import { Fanouts } from './devices/fanouts.ts'
import { HiddenIds } from './devices/hidden-ids.ts'
import { fileAccess } from './file-access.ts'
import { uploadFile } from './files.ts'
import { watchLimits } from './limits.ts'
import { Linking } from './link/linking.ts'
import { formOf } from './message-form.ts'
import { outgoingLogger } from './outgoing.ts'
import { reportPeople } from './people.ts'
import { limitPhoneRequests } from './phone-requests.ts'
import { changeName, changePicture, readProfile } from './profile.ts'
import { proxyWays } from './proxy.ts'
import { checkNumbers, isKnown, withFailures } from './queries.ts'
import { QuietPresence } from './quiet-presence.ts'
import { repositoryOver } from './signal/signal-repository.ts'
import { silentLogger } from './silent-logger.ts'
import { Stanzas, wireVersion } from './stanzas.ts'
import { stageWithheld } from './withheld.ts'

/** The codes of messages that the network does not understand, and of conversations that it refuses. */
const [badRequest, refusedContact] = [400, 463]

/** How long a refused message waits for what the account may do. */
const limitsMs = 3000

/** The device as the phone lists it. */
const browser = Browsers.ubuntu('Chrome')

/** The part of the library's socket that holds the WebSocket; its types hide it. */
interface InnerSocket {
  readonly socket: Parameters<typeof holdFrames>[0]
  readonly isOpen: boolean
}

/** Connects a number with Baileys. `nowMs` is the machine's clock. */
export function connectBaileys(
  vault: Vault,
  config: ConnectionConfig,
  events: ConnectionEvents,
  translator: Translator,
  nowMs: () => number = Date.now,
): Connection {
  const stanzas = new Stanzas()
  const acknowledgements = new Acknowledgements()
  const devices = deviceCache(vault, nowMs)
  const fanouts = new Fanouts(devices)
  const proxy = config.proxy === null ? null : proxyWays(config.proxy)
  const files = fileAccess(config.files, proxy?.dispatcher ?? null)
  const trace = config.trace?.of(vault.containerId)
  trace?.connecting()
  const tokens = new ContactTokens(vault, nowMs)
  const socket = makeSocket({
    auth: { creds: vault.creds, keys: vault.keys },
    logger: tokens.watching(trace ? outgoingLogger((stanza) => trace.write('out', stanza)) : silentLogger),
    waWebSocketUrl: config.url,
    ...(proxy && { agent: proxy.agent, fetchAgent: proxy.agent }),
    // For what the library fetches by itself, such as the history: messages name its address.
    options: { dispatcher: files.dispatcher } as unknown as RequestInit,
    version: wireVersion(config.version),
    browser,
    keepAliveIntervalMs: config.keepAliveMs,
    // Sends stand in line behind a query of another one. The library would wait a minute for a lost response.
    defaultQueryTimeoutMs: 15_000,
    markOnlineOnConnect: false,
    syncFullHistory: false,
    emitOwnEvents: false,
    generateHighQualityLinkPreview: false,
    // Without it, each message that cannot be decrypted holds up the next ones for two seconds.
    enableRecentMessageCache: true,
    retryRequestDelayMs: 0,
    // Sessions are kept beside each other: SessionKeys.
    enableAutoSessionRecreation: false,
    getMessage: ({ id }) => findMessage(vault, id ?? ''),
    // A host does not know whether its numbers want groups: the specification reports what is written in them.
    shouldIgnoreJid: (jid) => isJidStatusBroadcast(jid) || isJidNewsletter(jid),
    userDevicesCache: devices,
    patchMessageBeforeSending: fanouts.watch,
    makeSignalRepository: repositoryOver(vault, stanzas, translator),
  })
  if (socket.messageRetryManager) limitPhoneRequests(socket.messageRetryManager)
  const presence = new QuietPresence(socket, vault.creds, () => vault.isFenced || events.onName())
  const inner = socket.ws as unknown as InnerSocket
  holdFrames(inner.socket, vault, config.leases)
  const hiddenIds = new HiddenIds(socket, (digits, timeoutMs) => checkNumbers(socket, digits, timeoutMs))
  const addressing = new Addressing(socket, vault, hiddenIds)
  const linking = new Linking(socket, vault, events, { browser, nowMs })
  const limits = watchLimits(socket, events.onLimits, nowMs)
  listen()

  function listen(): void {
    // The frames of the handshake are bytes, and no stanzas.
    socket.ws.on('frame', (frame: BinaryNode | Uint8Array) => {
      if (!(frame instanceof Uint8Array)) trace?.write('in', frame)
    })
    socket.ws.on('CB:message', (stanza: BinaryNode) => {
      stanzas.add(stanza)
      stageWithheld(vault, translator, stanza)
    })
    socket.ws.on('CB:receipt', (stanza: BinaryNode) => stageReceipt(vault, stanza, new Date(nowMs())))
    socket.ws.on('CB:ack,class:message', (stanza: BinaryNode) => {
      acknowledgements.handle(stanza)
      if (stanza.attrs.error) events.onRefused(Number(stanza.attrs.error))
      fanouts.acknowledged(socket, stanza)
    })
    socket.ev.on('creds.update', () => vault.isFenced || vault.stageCreds())
    // A listener of the library keeps its socket from ending at a response that is no upgrade.
    socket.ws.on('unexpected-response', (request: ClientRequest, { statusCode }: IncomingMessage) => {
      request.destroy()
      void socket.end(noUpgrade(statusCode ?? 0))
    })
    // The library leaves these without an acknowledgement.
    socket.ws.on('CB:status', (stanza: BinaryNode) => {
      socket.sendNode(buildAckStanza(stanza)).catch(() => undefined)
    })
    dropChangedDevices(socket, devices)
    reportPeople(socket, events)
    socket.ev.on('connection.update', ({ connection, lastDisconnect }: Partial<ConnectionState>) => {
      if (connection === 'open') events.onOpen()
      if (connection !== 'close') return
      acknowledgements.close()
      linking.end()
      events.onClose(closingOf(lastDisconnect?.error, nowMs()))
    })
  }

  function requireOpen(): void {
    if (!inner.isOpen) throw new ConnectionLost()
  }

  /** Relays a message, and once more under the person's other name when the network wants that one. */
  async function relay(jid: string, message: proto.IMessage, options: RelayOptions): Promise<void> {
    requireOpen()
    const [address, ...others] = await withFailures(addressing.of(jid))
    const lid = [address, ...others].find((one) => isLidUser(one.jid))?.jid
    const token = lid === undefined ? [] : await tokens.of(lid)
    const relayTo = (to: WireAddress) => relayOnce(to, message, { ...options, token })
    try {
      await relayTo(address)
    } catch (error) {
      const other = others[0]
      if (!other || !(await isMisaddressed(error))) throw error
      // When neither name is accepted, the first refusal says what is wrong.
      await relayTo(other).catch((second: unknown) => {
        throw second instanceof Refused ? error : second
      })
      addressing.accepted(other, [address])
    }
    // The network has the message, whatever fails here.
    if (options.change === undefined) await tokens.noteGiven(lid ?? jid).catch(() => undefined)
  }

  /**
   * A refusal of a conversation may mean the name of the person, but not while the account may begin none at all, or
   * the network does not say.
   */
  async function isMisaddressed(error: unknown): Promise<boolean> {
    if (!(error instanceof Refused)) return false
    if (error.code === badRequest) return true
    return error.code === refusedContact && (await limits.find(limitsMs))?.blockedUntil === null
  }

  async function relayOnce(
    address: WireAddress,
    message: proto.IMessage,
    { token, ...options }: RelayOptions & { readonly token: readonly BinaryNode[] },
  ): Promise<void> {
    const { acknowledged, cancel } = acknowledgements.waitFor(options.id, options.timeoutMs)
    let isAcknowledged = false
    acknowledged.then(
      () => {
        isAcknowledged = true
      },
      () => undefined,
    )
    const form = formOf(message, options, address.attrs)
    fanouts.begin(address.jid, form.message, form.options)
    const additionalNodes = [...(form.options.additionalNodes ?? []), ...token]
    const sent = socket.relayMessage(address.jid, form.message, { ...form.options, additionalNodes })
    // Whichever fails first decides; the other failure is the same one.
    acknowledged.catch(() => undefined).finally(() => fanouts.end(options.id))
    await withFailures(sent).catch((error: unknown) => {
      // What the network has is sent, whatever failed here after that.
      if (isAcknowledged) return
      const failure = toRelayFailure(error)
      cancel(failure)
      throw failure
    })
    await acknowledged
  }

  /**
   * The library reports that it could not encrypt, or gives no code, when the number was fenced or its connection
   * ended.
   */
  function toRelayFailure(error: unknown): Error {
    if (vault.isFenced) return new Fenced()
    return inner.isOpen && error instanceof Error ? error : new ConnectionLost()
  }

  return {
    relay,
    async isKnown(jid, timeoutMs) {
      requireOpen()
      return isKnown(hiddenIds, jid, timeoutMs)
    },
    async check(digits) {
      requireOpen()
      return new Map(await hiddenIds.check(digits))
    },
    async limits() {
      requireOpen()
      return limits.query()
    },
    async typing(jid, on) {
      requireOpen()
      const [address] = await withFailures(addressing.of(jid))
      await withFailures(socket.sendPresenceUpdate(on ? 'composing' : 'paused', address.jid))
    },
    async setAvailable(available) {
      requireOpen()
      await withFailures(presence.show(available))
    },
    async seen(jid, networkIds) {
      requireOpen()
      const [address] = await withFailures(addressing.of(jid))
      const keys = networkIds.map((id) => ({ remoteJid: address.jid, id, fromMe: false }))
      if (keys.length > 0) await withFailures(socket.readMessages(keys))
    },
    async upload(file) {
      requireOpen()
      return withFailures(uploadFile(socket, file))
    },
    download: (reference) => downloadFile(reference, files.source),
    async pairingCode(digits) {
      requireOpen()
      return linking.code.request(digits)
    },
    async profile() {
      requireOpen()
      return readProfile(socket)
    },
    async setProfile({ name, about, picture }) {
      requireOpen()
      if (name !== undefined) await changeName(socket, name)
      if (about !== undefined) await withFailures(socket.updateProfileStatus(about))
      if (picture) await changePicture(socket, picture)
    },
    logout: () => withFailures(socket.logout()),
    close: () => endSocket(socket),
  }
}

async function findMessage(vault: Vault, id: string): Promise<proto.IMessage | undefined> {
  const sent = await vault.findSent(id)
  return sent ? proto.Message.decode(sent.message) : undefined
}

/** Stages the events of a receipt before the library acknowledges it. */
function stageReceipt(vault: Vault, stanza: BinaryNode, now: Date): void {
  if (vault.isFenced) return
  for (const body of receiptEvents(stanza, now)) {
    vault.stageEvent({ eventId: `${body.status}/${body.networkId}`, body })
    if (body.status !== 'failed') vault.stageDelivered(body.networkId)
  }
}

const endWithinMs = 500

/** Ends a connection; the library waits for the other side, which may never respond. */
async function endSocket(socket: WASocket): Promise<void> {
  const timeout = new Promise<void>((resolve) => setTimeout(resolve, endWithinMs).unref())
  await Promise.race([Promise.resolve(socket.end(undefined)).catch(() => undefined), timeout])
}
