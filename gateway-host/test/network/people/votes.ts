import { createHash, randomBytes } from 'node:crypto'
import { aesEncryptGCM, hmacSign, proto } from 'baileys'
import { type Account, phoneJid, type ShownMessage } from './accounts.ts'

/** Returns the poll of a message, in any of its three forms. */
export function findPoll(message: proto.IMessage): proto.Message.IPollCreationMessage | null {
  return message.pollCreationMessage ?? message.pollCreationMessageV2 ?? message.pollCreationMessageV3 ?? null
}

/** Makes a vote for the first option of a poll, encrypted as a phone does it. */
export function voteForFirst(creator: Account, voter: Account, shown: ShownMessage): proto.IMessage {
  const poll = findPoll(shown.message)
  const secret = shown.message.messageContextInfo?.messageSecret
  const [option] = poll?.options ?? []
  if (!option?.optionName || !secret) throw new Error('this is no poll that can be voted on')
  const [by, of] = [phoneJid(voter), phoneJid(creator)]
  const info = Buffer.concat([Buffer.from(`${shown.id}${of}${by}Poll Vote`), Buffer.from([1])])
  const key = hmacSign(info, hmacSign(secret, new Uint8Array(32), 'sha256'), 'sha256')
  const selectedOptions = [createHash('sha256').update(option.optionName).digest()]
  const plain = proto.Message.PollVoteMessage.encode({ selectedOptions }).finish()
  const encIv = randomBytes(12)
  const encPayload = aesEncryptGCM(plain, key, encIv, Buffer.from(`${shown.id}\0${by}`))
  return {
    pollUpdateMessage: {
      pollCreationMessageKey: { remoteJid: of, fromMe: false, id: shown.id },
      vote: { encPayload, encIv },
      senderTimestampMs: Date.now(),
    },
  }
}
