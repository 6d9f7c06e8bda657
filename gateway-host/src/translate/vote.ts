import { createHash } from 'node:crypto'
import { aesDecryptGCM, hmacSign, proto } from 'baileys'
import { pollOf } from './inbound-content.ts'

/** Who made a poll and who voted, each by the addresses under which the key may have been derived. */
export interface VoteParties {
  readonly creators: readonly string[]
  readonly voters: readonly string[]
}

/** Returns the options that a vote selects in a poll of ours; null when it cannot be decrypted. */
export function openVote(
  vote: proto.Message.IPollEncValue,
  pollId: string,
  sent: proto.IMessage,
  { creators, voters }: VoteParties,
): string[] | null {
  const secret = sent.messageContextInfo?.messageSecret
  const names = (pollOf(sent)?.options ?? []).map(({ optionName }) => optionName ?? '')
  if (!secret || !vote.encPayload || !vote.encIv) return null
  for (const creator of creators) {
    for (const voter of voters) {
      const key = voteKey(secret, `${pollId}${creator}${voter}Poll Vote`)
      try {
        const plain = aesDecryptGCM(vote.encPayload, key, vote.encIv, Buffer.from(`${pollId}\0${voter}`))
        return selected(proto.Message.PollVoteMessage.decode(plain), names)
      } catch {
        // The phone used the other address of one of the two.
      }
    }
  }
  return null
}

function voteKey(secret: Uint8Array, info: string): Buffer {
  const extracted = hmacSign(secret, new Uint8Array(32), 'sha256')
  return Buffer.from(hmacSign(Buffer.concat([Buffer.from(info), Buffer.from([1])]), extracted, 'sha256'))
}

function selected({ selectedOptions }: proto.Message.PollVoteMessage, names: readonly string[]): string[] {
  const byHash = new Map(names.map((name) => [createHash('sha256').update(name).digest('hex'), name]))
  return selectedOptions.flatMap((hash) => byHash.get(Buffer.from(hash).toString('hex')) ?? [])
}
