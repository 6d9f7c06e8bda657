import { proto, toNumber } from 'baileys'
import type { Attributes } from './person.ts'

const { PEER_DATA_OPERATION_REQUEST_RESPONSE_MESSAGE } = proto.Message.ProtocolMessage.Type

/** A message that the phone of the number sent again, as its stanza would have brought it. */
interface ResentMessage {
  readonly attrs: Attributes & { readonly id: string }
  readonly message: proto.IMessage
  /** The other person, for a message that the owner wrote; null for one that the number received. */
  readonly to: string | null
}

/**
 * Returns the messages that the phone sent because the network withheld their content, such as the first one of a
 * person who comes from an ad. `findStanza` returns the attributes of the stanza that came without content: the phone
 * leaves names and one of the addresses out. Null for another kind of message.
 */
export function resentMessages(
  { protocolMessage }: proto.IMessage,
  findStanza: (id: string) => Attributes | undefined,
): ResentMessage[] | null {
  const response = protocolMessage?.peerDataOperationRequestResponseMessage
  if (protocolMessage?.type !== PEER_DATA_OPERATION_REQUEST_RESPONSE_MESSAGE || !response) return null
  return (response.peerDataOperationResult ?? []).flatMap(({ placeholderMessageResendResponse: found }) => {
    const info = found?.webMessageInfoBytes ? decode(found.webMessageInfoBytes) : null
    return info ? toResent(info, findStanza) : []
  })
}

/** Returns the decoded message; null for bytes that are none, of which the phone's other messages are no part. */
function decode(bytes: Uint8Array): proto.WebMessageInfo | null {
  try {
    return proto.WebMessageInfo.decode(bytes)
  } catch {
    return null
  }
}

function toResent(
  { key, message, messageTimestamp, participant, pushName }: proto.WebMessageInfo,
  findStanza: (id: string) => Attributes | undefined,
): ResentMessage[] {
  const { id, remoteJid, fromMe } = key ?? {}
  if (!id || !remoteJid || !message) return []
  const author = key?.participant || participant
  const attrs = {
    from: remoteJid,
    ...(author ? { participant: author } : {}),
    ...(pushName ? { notify: pushName } : {}),
    t: String(toNumber(messageTimestamp)),
    ...findStanza(id),
    id,
  }
  return [{ attrs, message, to: fromMe ? remoteJid : null }]
}
