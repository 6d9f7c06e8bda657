import { createHash } from 'node:crypto'
import type { BinaryNode, proto } from 'baileys'
import { attribute, bytesOf, child, children, node, seconds } from './frames/nodes.ts'
import type { Network, SendFault } from './network.ts'
import { type Account, type Connection, phoneJid, type ShownMessage, sender } from './people/accounts.ts'
import { applyChange } from './people/changes.ts'
import { hashFor, readOnCompanion } from './people/companions.ts'
import { react } from './people/replies.ts'
import { textsIn } from './people/texts.ts'
import { respondToOwnDevice } from './people/unusual.ts'
import { sendReceipt } from './receipts.ts'
import { refusedByRules } from './rules/demands.ts'
import { refusalOfForm } from './rules/form.ts'

/** A copy of a message for one phone. */
interface PhoneCopy {
  readonly account: Account
  readonly stanza: BinaryNode
}

/** A message as the network decides about it. */
interface Addressed {
  readonly account: Account | undefined
  readonly from: Account | undefined
  readonly id: string
}

/** Handles a message of a device: acknowledges it, and delivers each copy to its device or phone. */
export function handleMessage(network: Network, connection: Connection, stanza: BinaryNode): void {
  const [id, to] = [attribute(stanza, 'id'), attribute(stanza, 'to')]
  const { account } = network.accounts.at(to)
  network.counts.messages++
  if (stanza.attrs.category === 'peer') network.counts.requestsToPhones++
  const hash = hashFor(network, connection, stanza)
  const acknowledge = (more: Record<string, string> = hash) =>
    connection.send(node('ack', { class: 'message', id, from: to, t: seconds(), ...more }))
  const message = { account, from: connection.device?.account, id }
  const error = refusalOf(network, message) ?? refusalOfForm(network, stanza) ?? broken(network, message, stanza)
  if (!account || error) {
    acknowledge({ error: error ?? '404' })
    return
  }
  if (account.behavior.isSwallowed || meets(network, 'swallowed', message)) return
  const copies = deliverToDevices(network, connection, stanza, to)
  if (network.faults.dropAcks > 0) network.faults.dropAcks--
  else if (!losesAcknowledgement(network, message)) {
    const { ackAfterMs, isReceiptFirst } = account.behavior
    // At no speed may the acknowledgement overtake the receipt.
    const ms = Math.max(isReceiptFirst ? ackAfterMs : ackAfterMs * network.speed, network.faults.ackMs)
    if (ms > 0) network.after(ms, acknowledge)
    else acknowledge()
  }
  for (const copy of copies) {
    const read = () => void network.track(() => readOnPhone(network, copy))
    if (copy.account.online) read()
    else copy.account.waiting.push(read)
  }
}

/** Returns whether the acknowledgement of a message is lost, which happens once to each. */
function losesAcknowledgement(network: Network, message: Addressed): boolean {
  if (!message.account?.behavior.isUnacknowledged && !meets(network, 'unacknowledged', message)) return false
  const name = `${message.from?.digits}/${message.id}`
  if (network.unacknowledged.has(name)) return false
  network.unacknowledged.add(name)
  return true
}

/**
 * The codes with which the network refuses a message for no reason of the recipient, and all messages of an account.
 */
const refusedCode = '479'
const restrictedCode = '429'

/**
 * Returns the code with which the network refuses a message, or null. A person may get the whole account restricted.
 */
function refusalOf(network: Network, message: Addressed): string | null {
  const { account, from } = message
  if (!account) return '404'
  if (account.behavior.refusal === restrictedCode && from) from.isRestricted = true
  if (from?.isRestricted) return restrictedCode
  const next = network.faults.refuseNext.shift()
  if (next) return next
  const ordered = meets(network, 'refused', message) ? refusedCode : null
  return network.faults.refusals.get(account.digits) ?? account.behavior.refusal ?? ordered
}

function broken(network: Network, { account, from }: Addressed, stanza: BinaryNode): string | null {
  return account && from ? refusedByRules(network, stanza, { from, account }) : null
}

/** Returns whether a fault that was ordered meets a message: the same at each repeat. */
function meets({ faults: { sends } }: Network, fault: SendFault, { id }: Addressed): boolean {
  if (sends?.fault !== fault) return false
  const draw = createHash('sha256').update(id).digest().readUInt32BE() / 2 ** 32
  return draw < sends.rate
}

/** How a stanza marks the edit of a message. */
const edited = '1'

/** Delivers the copies for devices, and returns the ones for phones. The phone of the sender needs none. */
function deliverToDevices(network: Network, connection: Connection, stanza: BinaryNode, to: string): PhoneCopy[] {
  const own = connection.device
  if (!own || (network.faults.lostEdits && stanza.attrs.edit === edited)) return []
  const addressing = to.endsWith('@lid') ? 'lid' : 'phone'
  const participants = child(stanza, 'participants')
  const copies = participants
    ? children(participants, 'to')
    : [node('to', { jid: stanza.attrs.participant ?? to }, children(stanza, 'enc'))]
  const identity = child(stanza, 'device-identity')
  return copies.flatMap((copy) => {
    const { account, device } = network.accounts.at(attribute(copy, 'jid'))
    if (!account) return []
    const isOwn = account === own.account
    const attrs = {
      ...sender(own.account, own.id, isOwn ? 'phone' : addressing),
      id: attribute(stanza, 'id'),
      t: seconds(),
      type: stanza.attrs.type ?? 'text',
      notify: own.account.name,
      ...(stanza.attrs.category ? { category: stanza.attrs.category } : {}),
      ...(isOwn ? { recipient: to } : {}),
    }
    const forwarded = node('message', attrs, [...children(copy), ...(identity ? [identity] : [])])
    const companion = account.devices.get(device)
    if (companion) network.deliver(companion, forwarded)
    void network.track(() => readOnCompanion(network, { account, device }, forwarded)).catch(() => undefined)
    return device === 0 ? [{ account, stanza: forwarded }] : []
  })
}

/** Decrypts a message on the phone of a person, shows it, and lets the person react. */
async function readOnPhone(network: Network, { account, stanza }: PhoneCopy): Promise<void> {
  const from = attribute(stanza, 'from')
  const writer = network.accounts.at(from)
  const enc = child(stanza, 'enc')
  if (!writer.account || !enc) return
  const type = enc.attrs.type === 'pkmsg' ? 'pkmsg' : 'msg'
  let message: proto.Message
  try {
    message = await account.phone.read(phoneJid(writer.account, writer.device), { type, ciphertext: bytesOf(enc) })
  } catch (error) {
    return requestAgain(network, account, stanza, error)
  }
  if (writer.account !== account) show(network, account, writer.account, { stanza, message })
  else await respondToOwnDevice(network, account, { id: attribute(stanza, 'id'), device: writer.device, message })
}

function show(
  network: Network,
  account: Account,
  from: Account,
  { stanza, message }: { stanza: BinaryNode; message: proto.Message },
): void {
  const id = attribute(stanza, 'id')
  const arrived = { from: attribute(stanza, 'from'), id }
  const before = account.shown.get(`${from.digits}/${id}`)
  if (before) {
    before.copies++
    network.counts.duplicates++
    sendReceipt(network, account, arrived, 'delivered')
    return
  }
  const change = message.protocolMessage ?? message.editedMessage?.message?.protocolMessage
  const shown: ShownMessage = {
    id,
    from: from.digits,
    to: account.digits,
    message,
    at: Date.now(),
    typed: takeTyping(account, from),
    retried: child(stanza, 'enc')?.attrs.count !== undefined,
    copies: 1,
    edited: null,
    revoked: false,
  }
  account.shown.set(`${from.digits}/${id}`, shown)
  for (const text of textsIn(message)) network.texts.add(text)
  if (change) {
    applyChange(network, account.shown.get(`${from.digits}/${change.key?.id}`), change)
    sendReceipt(network, account, arrived, 'delivered')
    return
  }
  network.transcript.push(shown)
  if (account.devices.size === 0) react(network, account, shown, arrived)
}

/**
 * Returns whether the sender was shown as typing for this message. Each message ends one indicator: that of the next
 * can come before this one does.
 */
function takeTyping(account: Account, from: Account): boolean {
  const shown = account.typing.findIndex(({ by, state }) => by === from.digits && state === 'composing')
  if (shown >= 0)
    account.typing.splice(0, shown + 1, ...account.typing.slice(0, shown).filter(({ by }) => by !== from.digits))
  return shown >= 0
}

const mostRequests = 4

/** Requests a message again that the phone could not decrypt; from the second time on with keys for a new session. */
async function requestAgain(network: Network, account: Account, stanza: BinaryNode, error: unknown): Promise<void> {
  network.counts.undecryptable++
  network.firstFault ??= error instanceof Error ? error.message : String(error)
  const from = attribute(stanza, 'from')
  const { account: writer, device } = network.accounts.at(from)
  const count = Number(child(stanza, 'enc')?.attrs.count ?? 0) + 1
  const to = writer?.devices.get(device)
  if (!to || count > mostRequests) return
  network.counts.retriesOfPhones++
  const [id, t] = [attribute(stanza, 'id'), attribute(stanza, 't')]
  const named = sender(account, 0, from.endsWith('@lid') ? 'lid' : 'phone').from ?? ''
  const bundle = await account.phone.makeBundle()
  const keys = node('keys', {}, [
    node('type', {}, Buffer.from([5])),
    node('identity', {}, bundle.identity),
    bundle.preKey,
    bundle.signedPreKey,
  ])
  network.deliver(
    to,
    node('receipt', { from: named, id, t: seconds(), type: 'retry' }, [
      node('retry', { count: String(count), id, t, v: '1', error: '0' }),
      node('registration', {}, bundle.registration),
      ...(count > 1 ? [keys] : []),
    ]),
  )
}
