import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { proto } from 'baileys'
import { uploadFromPhone } from '../files.ts'
import { node, seconds } from '../frames/nodes.ts'
import { type Network, newMessageId } from '../network.ts'
import { type Account, lidJid, phoneJid, sender } from './accounts.ts'
import { textsIn } from './texts.ts'
import { write, writeToDevice } from './writing.ts'

const { Type } = proto.Message.ProtocolMessage
const { PLACEHOLDER_MESSAGE_RESEND } = proto.Message.PeerDataOperationRequestType
const { HD_IMAGE_DUAL_UPLOAD } = proto.MessageAssociation.AssociationType

/** Messages that only the phone of the recipient has: `recipient digits/message id`. */
const withheld = new WeakMap<Network, Map<string, Buffer>>()

/**
 * Sends a message whose ciphertext the network withholds from linked devices, such as the first one of a person who
 * comes from an ad: a device has to request it from its phone. `type` is the kind of the placeholder. Returns its id.
 */
export function writeWithheld(
  network: Network,
  from: string,
  to: string,
  message: proto.IMessage,
  type?: string,
): string {
  for (const text of textsIn(message)) network.texts.add(text)
  const [writer, recipient] = [network.accounts.get(from), network.accounts.get(to)]
  const id = newMessageId()
  const info = {
    // The phone names the chat in one form only.
    key: { remoteJid: addressOf(network, writer), fromMe: false, id },
    message,
    messageTimestamp: Number(seconds()),
    pushName: writer.name,
  }
  const known = withheld.get(network) ?? new Map<string, Buffer>()
  withheld.set(network, known)
  known.set(`${to}/${id}`, Buffer.from(proto.WebMessageInfo.encode(proto.WebMessageInfo.fromObject(info)).finish()))
  const attrs = { ...sender(writer, 0, network.addressing), id, t: seconds(), type: 'text', notify: writer.name }
  for (const device of recipient.devices.values()) {
    network.deliver(device, node('message', attrs, [node('unavailable', type === undefined ? {} : { type })]))
  }
  return id
}

/** Handles what a device asks its own phone for: messages that the network withheld. */
export async function respondToOwnDevice(
  network: Network,
  account: Account,
  request: { readonly id: string; readonly device: number; readonly message: proto.IMessage },
): Promise<void> {
  const device = account.devices.get(request.device)
  const { protocolMessage } = request.message.deviceSentMessage?.message ?? request.message
  const asked = protocolMessage?.peerDataOperationRequestMessage?.placeholderMessageResendRequest ?? []
  if (!device || asked.length === 0) return
  const results = asked.flatMap(({ messageKey }) => {
    const webMessageInfoBytes = withheld.get(network)?.get(`${account.digits}/${messageKey?.id}`)
    return webMessageInfoBytes ? [{ placeholderMessageResendResponse: { webMessageInfoBytes } }] : []
  })
  const peerDataOperationRequestResponseMessage = {
    peerDataOperationRequestType: PLACEHOLDER_MESSAGE_RESEND,
    stanzaId: request.id,
    peerDataOperationResult: results,
  }
  const type = Type.PEER_DATA_OPERATION_REQUEST_RESPONSE_MESSAGE
  const response = { protocolMessage: { type, peerDataOperationRequestResponseMessage } }
  await writeToDevice(network, account, device, response, { category: 'peer' })
}

/** Sends a message to everybody on a broadcast list of a person, of which the number is one. Returns its id. */
export async function writeByList(
  network: Network,
  from: string,
  to: string,
  message: proto.IMessage,
): Promise<string> {
  const { from: participant = '', ...others } = sender(network.accounts.get(from), 0, network.addressing)
  const alternates = { participant_pn: others.sender_pn, participant_lid: others.sender_lid }
  const known = Object.entries(alternates).flatMap(([name, jid]) => (jid === undefined ? [] : [[name, jid]]))
  return write(network, from, to, message, {
    from: '1790000000@broadcast',
    participant,
    ...(Object.fromEntries(known) as Record<string, string>),
  })
}

/**
 * Changes the text of a message as phones do since 2026: encrypted with the secret of the original message. Returns the
 * id of the stanza. Throws an Error for a message that the person has not written to the number.
 */
export async function editMessage(
  network: Network,
  from: string,
  to: string,
  edit: { readonly id: string; readonly text: string },
): Promise<string> {
  const writer = network.accounts.get(from)
  const [device] = network.accounts.get(to).devices.values()
  const written = device && writer.written.get(`${phoneJid(device.account, device.id)}/${edit.id}`)
  const secret = written?.message.messageContextInfo?.messageSecret
  if (!secret) throw new Error('the person has not written such a message')
  const author = addressOf(network, writer)
  const key = { remoteJid: author, fromMe: true, id: edit.id }
  const changed = {
    protocolMessage: {
      key,
      type: Type.MESSAGE_EDIT,
      editedMessage: { conversation: edit.text },
      timestampMs: Date.now(),
    },
  }
  network.texts.add(edit.text)
  const plain = proto.Message.encode(proto.Message.fromObject(changed)).finish()
  const encKey = hkdfSync('sha256', secret, Buffer.alloc(0), `${edit.id}${author}${author}Message Edit`, 32)
  const encIv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(encKey), encIv)
  const encPayload = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()])
  const secretEncType = proto.Message.SecretEncryptedMessage.SecretEncType.MESSAGE_EDIT
  return write(network, from, to, {
    secretEncryptedMessage: { targetMessageKey: key, encPayload, encIv, secretEncType },
  })
}

/**
 * Sends a photo in high definition: a small one first, then the large one as its child. Returns the ids of both.
 */
export async function sendHdPhoto(
  network: Network,
  from: string,
  to: string,
  photo: { readonly small: Uint8Array; readonly large: Uint8Array; readonly caption?: string | undefined },
): Promise<{ id: string; childId: string }> {
  const mimetype = 'image/jpeg'
  const parent = await uploadFromPhone(network, { bytes: photo.small, mimetype, caption: photo.caption })
  const id = await write(network, from, to, parent)
  const parentMessageKey = { remoteJid: addressOf(network, network.accounts.get(from)), fromMe: true, id }
  const messageContextInfo = { messageAssociation: { associationType: HD_IMAGE_DUAL_UPLOAD, parentMessageKey } }
  const child = await uploadFromPhone(network, { bytes: photo.large, mimetype })
  const childId = await write(network, from, to, {
    associatedChildMessage: { message: { ...child, messageContextInfo } },
    messageContextInfo,
  })
  return { id, childId }
}

function addressOf(network: Network, account: Account): string {
  return network.addressing === 'lid' ? lidJid(account) : phoneJid(account)
}
