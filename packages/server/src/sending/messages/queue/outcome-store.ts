import { type EventSubject, eventSubjectColumns } from '#events/message-event.ts'
import { type Db, preparedRows, rows } from '#platform/db/db.ts'
import { boundedPause } from './lane-gate.ts'
import type { FailedAttempt, MessageOutcome } from './outcome.ts'

interface Claim {
  readonly id: string
  readonly containerId: string
  readonly token: string
}

/** An outcome with its claim; it is written only while that claim is valid. */
export interface Settled<Is extends MessageOutcome['is'] = MessageOutcome['is']> extends Claim {
  readonly outcome: MessageOutcome & { readonly is: Is }
}

/** SQL: the log of attempts of the message `t`, with one more attempt of `o`. */
const loggedAttempt = `coalesce(t.attempt_log, '[]') || o.attempt`

/** Returns an attempt in the form of the log. */
function logEntry({ at, error }: FailedAttempt, nextAt: Date | null): string {
  return JSON.stringify([{ at, error, nextAt }])
}

/**
 * SQL: the claim is valid, as no other worker has claimed the message since and no receipt has settled it. The ids are
 * also an array whose length the planner does not know. It would scan the whole table for a join with many ids.
 */
const claimIsValid = `t.id = any(array(select unnest(:ids::uuid[]))) and t.id = o.id and t.lease_token = o.token`

function claims(settled: readonly Claim[]): { ids: string[]; tokens: string[] } {
  return { ids: settled.map((one) => one.id), tokens: settled.map((one) => one.token) }
}

/**
 * Writes that the network took the messages. Where an earlier receipt has raised the status, only the id on the network
 * and the time are filled in.
 */
export async function writeSent(db: Db, settled: readonly Settled<'sent'>[]): Promise<void> {
  await preparedRows(
    db,
    `update messages t
        set status = case when t.status = 'sending' then 'sent' else t.status end,
            gateway_message_id = o.network_id, network_ref = o.raw,
            -- A receipt may have an earlier time than the response; nothing is delivered before it was sent.
            sent_at = least(o.at, t.delivered_at, t.read_at),
            lease_token = null, lease_until = null, outcome_unknown_since = null,
            -- An earlier receipt was an acknowledgment of the network itself.
            unacknowledged_since = case when o.acknowledged or t.status <> 'sending' then null else o.at end,
            -- A failure that the network reported before its response stays one, with its reason.
            error = case when t.status = 'failed' then t.error end,
            error_code = case when t.status = 'failed' then t.error_code end
       from unnest(:ids::uuid[], :tokens::uuid[], :networkIds::text[], :raws::jsonb[], :ats::timestamptz[],
                   :acknowledged::boolean[])
         as o(id, token, network_id, raw, at, acknowledged)
      where ${claimIsValid}`,
    {
      ...claims(settled),
      networkIds: settled.map((one) => one.outcome.networkId),
      raws: settled.map((one) => JSON.stringify(one.outcome.raw)),
      ats: settled.map((one) => one.outcome.at),
      acknowledged: settled.map((one) => one.outcome.acknowledged),
    },
  )
}

/** A lane in which messages were queued again although none can leave it now. */
export interface BlockedLane {
  readonly organizationId: string
  readonly containerId: string
  /** Whether the number was removed. */
  readonly removed: boolean
}

/**
 * Queues messages again: in their old place when they were released or wait for the fault of their number, at their new
 * due time otherwise. Returns their numbers that are down, held or removed.
 */
export async function writeRetries(trx: Db, settled: readonly Settled<'retry' | 'released'>[]): Promise<BlockedLane[]> {
  if (settled.length === 0) return []
  const again = settled.map((one) => (one.outcome.is === 'retry' ? one.outcome : null))
  return rows<BlockedLane>(
    trx,
    `with back as (
       update messages t
          set status = 'queued', lease_token = null, lease_until = null,
              attempts = t.attempts - (o.due_at is null)::int,
              lost_claims = t.lost_claims + (o.keeps_place and o.due_at is not null)::int, lost_processes = 0,
              due_at = coalesce(o.due_at, t.due_at),
              queue_at = case when o.keeps_place then t.queue_at else o.due_at end,
              outcome_unknown_since = coalesce(o.unknown_since, t.outcome_unknown_since),
              attempt_log = case when o.attempt is null then t.attempt_log else ${loggedAttempt} end
         from unnest(:ids::uuid[], :tokens::uuid[], :dueAts::timestamptz[], :unknownSinces::timestamptz[],
                     :pauses::boolean[], :keepsPlaces::boolean[], :attempts::jsonb[])
           as o(id, token, due_at, unknown_since, pause, keeps_place, attempt)
        where ${claimIsValid} and t.status = 'sending'
       returning t.organization_id, t.container_id, t.due_at, o.pause
     ), lane as (
       select organization_id, container_id, min(due_at) as due_at,
              ${boundedPause('max(due_at) filter (where pause)')} as paused_until
         from back group by 1, 2
     ), locked as materialized (
       select l.container_id, l.open from lanes l join lane using (container_id) order by 1 for update of l
     ), due as (
       update lanes
          set next_claim_at = least(next_claim_at, lane.due_at),
              next_send_at = greatest(next_send_at, lane.paused_until),
              next_campaign_send_at = greatest(next_campaign_send_at, lane.paused_until)
         from lane join locked using (container_id) where lanes.container_id = lane.container_id
     )
     select lane.organization_id, lane.container_id,
            locked.container_id is null as removed
       from lane left join locked using (container_id)
      where locked.open is not true order by 1, 2`,
    {
      ...claims(settled),
      dueAts: again.map((one) => one?.dueAt ?? null),
      unknownSinces: again.map((one) => one?.unknownSince ?? null),
      pauses: again.map((one) => one?.pauseLane ?? false),
      keepsPlaces: again.map((one) => one?.keepsPlace ?? true),
      attempts: again.map((one) => one && logEntry(one.attempt, one.dueAt)),
    },
  )
}

/** Leaves messages in `sending` until a receipt comes or their time ends. */
export async function writeUnknown(trx: Db, settled: readonly Settled<'unknown'>[]): Promise<void> {
  if (settled.length === 0) return
  await rows(
    trx,
    `update messages t
        set outcome_unknown_since = o.since, lease_until = o.until, lease_token = null, attempt_log = ${loggedAttempt}
       from unnest(:ids::uuid[], :tokens::uuid[], :sinces::timestamptz[], :untils::timestamptz[], :attempts::jsonb[])
         as o(id, token, since, until, attempt)
      where ${claimIsValid} and t.status = 'sending'`,
    {
      ...claims(settled),
      sinces: settled.map((one) => one.outcome.since),
      untils: settled.map((one) => one.outcome.until),
      attempts: settled.map((one) => logEntry(one.outcome.attempt, null)),
    },
  )
}

/**
 * Returns the ids by which the network may know those of these messages whose outcome is unknown. Covers all
 * organizations.
 */
export async function unknownOutcomeIds(
  db: Db,
  ids: readonly string[],
): Promise<{ readonly containerId: string; readonly networkId: string }[]> {
  return rows(
    db,
    `select container_id, network_client_id as network_id from messages
      where id = any(:ids::uuid[]) and outcome_unknown_since is not null`,
    { ids },
  )
}

/** Fails messages for good, and returns the subjects of their events. */
export async function writeFailed(trx: Db, settled: readonly Settled<'failed'>[]): Promise<EventSubject[]> {
  if (settled.length === 0) return []
  return rows<EventSubject>(
    trx,
    `with failed as (
       update messages t
          set status = 'failed', error = o.error, error_code = o.code, failed_at = o.at,
              lease_token = null, lease_until = null
         from unnest(:ids::uuid[], :tokens::uuid[], :codes::text[], :errors::text[], :ats::timestamptz[])
           as o(id, token, code, error, at)
        where ${claimIsValid} and t.status = 'sending'
       returning t.*
     )
     select ${eventSubjectColumns} from failed m left join numbers n on n.id = m.container_id`,
    {
      ...claims(settled),
      codes: settled.map((one) => one.outcome.code),
      errors: settled.map((one) => one.outcome.error),
      ats: settled.map((one) => one.outcome.at),
    },
  )
}
