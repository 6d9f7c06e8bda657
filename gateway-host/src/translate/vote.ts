import { createHash } from 'node:crypto'
import { proto } from 'baileys'
import { pollOf } from './inbound-content.ts'
import { openSealed } from './secret-key.ts'

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
  if (!secret) return null
  for (const author of creators) {
    for (const by of voters) {
      const derivation = {
        messageId: pollId,
        author,
        by,
        purpose: 'Poll Vote',
        authenticated: `${pollId}\0${by}`,
      } as const
      const read = (plain: Uint8Array) => selected(proto.Message.PollVoteMessage.decode(plain), names)
      const options = openSealed(vote, secret, derivation, read)
      if (options) return options
    }
  }
  return null
}

function selected({ selectedOptions }: proto.Message.PollVoteMessage, names: readonly string[]): string[] {
  const byHash = new Map(names.map((name) => [createHash('sha256').update(name).digest('hex'), name]))
  return selectedOptions.flatMap((hash) => byHash.get(Buffer.from(hash).toString('hex')) ?? [])
}
