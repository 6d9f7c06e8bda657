import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { CallHead, HostCalls } from '@msgctl/network/calls'
import { GatewayError } from '@msgctl/network/errors'
import type { MessageRef, NetAddress, SendReceipt } from '@msgctl/network/gateway'
import { generateForwardMessageContent, proto } from 'baileys'
import type { Connection, OutboundFile, RelayOptions } from '../engine/engine.ts'
import { pollOf } from '../translate/inbound-content.ts'
import {
  editMessage,
  type PlainContent,
  plainMessage,
  revokeMessage,
  withSecret,
} from '../translate/outbound-content.ts'
import { jidOf } from '../translate/person.ts'
import { withTimer } from '../translate/timer.ts'
import { toGatewayError } from './call-failures.ts'
import type { HostedNumber } from './number.ts'
import { type UploadCache, withCaption } from './upload-cache.ts'

type Call<Operation extends keyof HostCalls> = HostCalls[Operation]

/** Sends a message. One that the network has acknowledged before is not sent again. */
export function send(number: HostedNumber, call: CallHead<'send'>, file: Readable | null): Promise<SendReceipt> {
  return sendOnce(number, call, (connection) => build({ connection, uploads: number.uploads }, call, file))
}

/** Forwards a message of this number. */
export function forward(number: HostedNumber, call: Call<'forward'>): Promise<SendReceipt> {
  return sendOnce(number, call, async () => {
    const original = await number.vault.findSent(call.networkId)
    if (!original) throw new GatewayError('rejected', 'There is no such message to forward.')
    const key = { fromMe: true, id: call.networkId }
    const { messageContextInfo: _, ...message } = proto.Message.decode(original.message)
    return generateForwardMessageContent({ key, message }, true)
  })
}

/** Changes the text of a message, or the caption of its file. */
export function edit(number: HostedNumber, { message, text, timeoutMs }: Call<'edit'>): Promise<void> {
  const { networkId, chat } = message
  const make = (original: proto.IMessage) => editMessage({ jid: jidOf(chat), networkId, original }, text, Date.now())
  return change(number, message, make, { timeoutMs, change: 'edit' })
}

/** Takes a message back. */
export function revoke(number: HostedNumber, { message, timeoutMs }: Call<'revoke'>): Promise<void> {
  const make = () => revokeMessage(jidOf(message.chat), message.networkId)
  return change(number, message, make, { timeoutMs, change: 'revoke' })
}

interface Once {
  readonly to: NetAddress
  readonly clientId: string
  readonly timeoutMs: number
}

async function sendOnce(
  number: HostedNumber,
  { to, clientId, timeoutMs }: Once,
  make: (connection: Connection) => Promise<proto.IMessage>,
): Promise<SendReceipt> {
  const { connection, vault } = number
  const jid = jidOf(to)
  const receipt: SendReceipt = { ref: { networkId: clientId, chat: to, raw: null }, status: 'sent' }
  const before = await vault.findSent(clientId)
  if (before?.acked) return receipt
  const message = before
    ? proto.Message.decode(before.message)
    : withTimer(await prepare(connection, { jid, timeoutMs }, make), await number.timers.find(jid))
  if (!before) stage(number, jid, clientId, message)
  await relay(number, jid, message, { id: clientId, timeoutMs })
  return receipt
}

/** Nothing of a message has left yet: every failure here is one of a question. */
async function prepare(
  connection: Connection,
  { jid, timeoutMs }: { readonly jid: string; readonly timeoutMs: number },
  make: (connection: Connection) => Promise<proto.IMessage>,
): Promise<proto.IMessage> {
  try {
    if (!(await connection.isKnown(jid, timeoutMs / 2))) {
      throw new GatewayError('recipient', 'The recipient is not on the network.')
    }
    return withSecret(await make(connection))
  } catch (error) {
    throw toGatewayError(error, 'question')
  }
}

function stage({ vault }: HostedNumber, jid: string, id: string, message: proto.IMessage): void {
  const bytes = proto.Message.encode(message).finish()
  vault.stageSent({ id, chat: jid, message: bytes, isPoll: pollOf(message) !== null })
}

async function relay(number: HostedNumber, jid: string, message: proto.IMessage, options: RelayOptions): Promise<void> {
  try {
    number.active()
    await number.connection.relay(jid, message, options)
    // The network has it, also when another host has the number by now, and this one can store nothing.
    if (!number.vault.isFenced) number.vault.stageAcked(options.id)
  } catch (error) {
    throw await withBlock(number, toGatewayError(error, 'message'))
  }
}

/** A person is refused with the same code as every new conversation: only the limits of the account differ. */
async function withBlock(number: HostedNumber, error: GatewayError): Promise<GatewayError> {
  if (error.kind !== 'contact_refused') return error
  const blockedUntil = await number.findBlock()
  if (!blockedUntil) return error
  const message = 'The network lets this account begin no new conversations now.'
  return new GatewayError('new_chat_refused', message, { outcome: error.outcome, blockedUntil })
}

async function change(
  number: HostedNumber,
  { networkId, chat }: MessageRef,
  make: (original: proto.IMessage) => proto.IMessage,
  options: Omit<RelayOptions, 'id'>,
): Promise<void> {
  const original = await number.vault.findSent(networkId)
  if (!original) throw new GatewayError('rejected', 'There is no such message.')
  const content = withSecret(make(proto.Message.decode(original.message)))
  const [jid, id] = [jidOf(chat), `3EB0${randomBytes(9).toString('hex').toUpperCase()}`]
  stage(number, jid, id, content)
  await relay(number, jid, content, { ...options, id })
}

interface Uploading {
  readonly connection: Connection
  readonly uploads: UploadCache
}

async function build(
  uploading: Uploading,
  { content, file: facts }: CallHead<'send'>,
  file: Readable | null,
): Promise<proto.IMessage> {
  switch (content.kind) {
    case 'image':
    case 'video':
    case 'file':
    case 'voice': {
      if (!file || !facts) throw new GatewayError('rejected', 'The file of the message is missing.')
      const { caption, ...rest } = { ...content, bytes: file } as OutboundFile
      return withCaption(await uploadOnce(uploading, rest, facts.sha256), caption)
    }
    default:
      return plainMessage(content as PlainContent, file ? await buffer(file) : null)
  }
}

/** Uploads a file, or takes the upload of the same file in the last hour. */
async function uploadOnce(
  { connection, uploads }: Uploading,
  file: OutboundFile,
  sha256: string,
): Promise<proto.IMessage> {
  const { bytes: _, ...facts } = file
  const key = JSON.stringify([sha256, facts])
  const known = uploads.find(key)
  if (known) return known
  const uploaded = await connection.upload(file)
  uploads.keep(key, uploaded)
  return uploaded
}
