import { appendEvents, type NewEvent } from '#events/append.ts'
import { transaction } from '#platform/db/db.ts'
import type { Services } from '#services.ts'
import {
  dropStaleVotes,
  keepVotes,
  type MatchedVote,
  type NetworkVote,
  type PollId,
  takeVotes,
} from './poll-vote-store.ts'

type Receiving = Pick<Services, 'db'>

/**
 * Reports votes in polls that were sent, each once however often the network repeats it. A vote whose poll is not known
 * yet, because the send has not returned, waits for it. A vote in another poll is dropped after ten minutes.
 */
export async function applyVotes(services: Receiving, votes: readonly NetworkVote[]): Promise<void> {
  if (votes.length === 0) return
  const polls = votes.map(({ containerId, pollNetworkId }) => ({ containerId, networkId: pollNetworkId }))
  const events = await transaction(services.db, async (trx) => {
    await keepVotes(trx, votes)
    return toEvents(trx, await takeVotes(trx, polls))
  })
  // The poll may have been stored between the read and the commit: the second of the two commits sees both rows.
  if (events < votes.length) await applyWaitingVotes(services, polls)
}

/** Reports votes that waited for these polls, or for any that are known by now. */
export async function applyWaitingVotes(services: Receiving, polls: readonly PollId[] | null): Promise<void> {
  await transaction(services.db, async (trx) => toEvents(trx, await takeVotes(trx, polls)))
}

/** The periodic sweep: reports votes that a crash left, and deletes expired ones. */
export async function sweepVotes(services: Receiving): Promise<void> {
  await applyWaitingVotes(services, null)
  await dropStaleVotes(services.db)
}

async function toEvents(trx: Services['db'], votes: readonly MatchedVote[]): Promise<number> {
  await appendEvents(trx, votes.map(voteEvent))
  return votes.length
}

/** Returns the event of one vote, with the payload of the specification. */
function voteEvent(vote: MatchedVote): NewEvent {
  const number = vote.numberPhone ?? ''
  const timestamp = vote.votedAt.toISOString()
  return {
    organizationId: vote.organizationId,
    messageId: vote.messageId,
    event: 'poll.vote',
    data: {
      vote: {
        id: vote.voteNetworkId,
        from: vote.voter,
        to: number,
        fromMe: false,
        selectedOptions: vote.selectedOptions,
        timestamp,
      },
      poll: { id: vote.pollNetworkId, from: number, to: vote.recipient, fromMe: true },
      messageId: vote.messageId,
      containerId: vote.containerId,
      numberPhone: vote.numberPhone,
      timestamp,
      ...(vote.clientReference === null ? {} : { clientReference: vote.clientReference }),
    },
  }
}
