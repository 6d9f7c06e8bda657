import { anyRow } from '#platform/db/any-row.ts'
import { type Db, rows, serviceNow } from '#platform/db/db.ts'
import type { Row } from '#platform/db/tables.ts'
import { messagesByNetworkId } from './receipt-store.ts'

/** SQL condition: whether votes wait for their poll. */
export const hasWaitingVotes = anyRow('poll_votes where message_id is null order by container_id, poll_network_id')

/** A vote as the network reports it. */
export interface NetworkVote {
  readonly organizationId: string
  readonly containerId: string
  readonly pollNetworkId: string
  readonly voteNetworkId: string
  /** Digits, or a hidden id. */
  readonly voter: string
  readonly selectedOptions: readonly string[]
  readonly at: Date
}

/** A poll by its id on the network. */
export interface PollId {
  readonly containerId: string
  readonly networkId: string
}

/** A vote with the message of its poll, for its event. */
export interface MatchedVote
  extends Pick<Row<'poll_votes'>, 'containerId' | 'pollNetworkId' | 'voteNetworkId' | 'voter' | 'votedAt'> {
  readonly organizationId: string
  readonly selectedOptions: string[]
  readonly messageId: string
  readonly recipient: string
  readonly clientReference: string | null
  readonly numberPhone: string | null
}

/** Stores votes; one that is stored already does not change. */
export async function keepVotes(trx: Db, votes: readonly NetworkVote[]): Promise<void> {
  await rows(
    trx,
    `insert into poll_votes (organization_id, container_id, poll_network_id, vote_network_id, voter, selected_options,
                             voted_at, received_at)
     select v.*, (select service_now())
       from jsonb_to_recordset(:votes::jsonb) as v(organization_id uuid, container_id uuid, poll_network_id text,
            vote_network_id text, voter text, selected_options jsonb, voted_at timestamptz)
      order by v.container_id, v.vote_network_id
     on conflict do nothing`,
    {
      votes: JSON.stringify(
        votes.map((vote) => ({
          organization_id: vote.organizationId,
          container_id: vote.containerId,
          poll_network_id: vote.pollNetworkId,
          vote_network_id: vote.voteNetworkId,
          voter: vote.voter,
          selected_options: vote.selectedOptions,
          voted_at: vote.at,
        })),
      ),
    },
  )
}

/**
 * Marks votes as reported whose poll is known by now, and returns them: votes of the given polls, or of all. The caller
 * reports them in this transaction; no other caller gets them.
 */
export async function takeVotes(trx: Db, polls: readonly PollId[] | null): Promise<MatchedVote[]> {
  return rows<MatchedVote>(
    trx,
    `with wanted as (
       select distinct container_id, poll_network_id as network_id from poll_votes
        where message_id is null and (:all or
              (container_id, poll_network_id) in (select * from unnest(:containers::uuid[], :networkIds::text[])))
     ), known as (${messagesByNetworkId}
     ), taken as (
       update poll_votes v set message_id = known.id from known
        where v.message_id is null and v.container_id = known.container_id and v.poll_network_id = known.network_id
       returning v.*
     )
     select m.organization_id, v.container_id, v.poll_network_id, v.vote_network_id, v.voter, v.selected_options,
            v.voted_at, m.id as message_id, m.recipient, m.client_reference, n.phone_number as number_phone
       from taken v join messages m on m.id = v.message_id and m.kind = 'poll'
       left join numbers n on n.id = v.container_id
      order by v.voted_at, v.vote_network_id`,
    {
      all: polls === null,
      containers: (polls ?? []).map((poll) => poll.containerId),
      networkIds: (polls ?? []).map((poll) => poll.networkId),
    },
  )
}

const tenMinutesMs = 10 * 60 * 1000

/** Deletes votes whose poll did not become known in ten minutes: it was created on the phone. */
export async function dropStaleVotes(db: Db): Promise<void> {
  await db('poll_votes').whereNull('messageId').where('receivedAt', '<', serviceNow(db, -tenMinutesMs)).delete()
}

/** Deletes up to `limit` votes that were reported 30 days ago, as long as events are kept; returns their number. */
export async function deleteExpiredVotes(db: Db, limit = 5000): Promise<number> {
  const gone = await rows(
    db,
    `delete from poll_votes where ctid = any(array(
       select ctid from poll_votes where received_at < (select service_now()) - interval '30 days' limit :limit))
     returning 1 as gone`,
    { limit },
  )
  return gone.length
}
