import { type Db, preparedRows, rows } from '#platform/db/db.ts'
import { notMoving } from '#platform/db/moving.ts'
import type { Row } from '#platform/db/tables.ts'
import { admittedOfPicked, type InWork, noSuspects, suspectBindings } from '#platform/set-aside/suspicion.ts'
import { standingGate } from './lane-gate.ts'

/** A lane that a dispatcher claims from, locked until its transaction ends. */
export interface DueLane {
  readonly containerId: string
  readonly organizationId: string
  readonly nextSendAt: Date
  /** The gate of its campaign messages. */
  readonly nextCampaignSendAt: Date
  /** Whether it has campaign messages that are due. */
  readonly hasCampaign: boolean
  /** Whether the guard rules hold for its number; null: only where they hold for all. */
  readonly guarded: boolean | null
}

/** A message that this dispatcher holds until `leaseUntil`, while its token is valid. */
export interface ClaimedMessage
  extends Pick<
    Row<'messages'>,
    'id' | 'content' | 'type' | 'campaignId' | 'lostClaims' | 'networkClientId' | 'outcomeUnknownSince'
  > {
  readonly organizationId: string
  readonly containerId: string
  readonly recipient: string
  /** The network's own address of the recipient, from its last check; null when it was not checked. */
  readonly address: string | null
  readonly priority: 'high' | 'normal' | 'low'
  /** When it was due to leave, since its last attempt. */
  readonly dueAt: Date
  /** The attempts, this one included, without those that were lost with a process, a host or a connection. */
  readonly attempts: number
  /** Processes in a row that were lost with it. */
  readonly lostProcesses: number
}

/** Locks due lanes and returns them. */
export async function lockDueLanes(trx: Db, limit: number): Promise<DueLane[]> {
  return preparedRows<DueLane>(
    trx,
    `select container_id, organization_id, guarded,
            ${standingGate('next_send_at')} as next_send_at,
            ${standingGate('next_campaign_send_at')} as next_campaign_send_at,
            -- In the order of its index: otherwise the planner may scan the whole table for a lane that has none.
            coalesce((select true from messages m
                       where m.container_id = lanes.container_id and m.status = 'queued' and m.campaign_id is not null
                         and m.due_at <= (select service_now())
                       order by m.queue_at, m.id limit 1), false) as has_campaign
       from lanes
      where open and next_claim_at <= (select service_now()) and ${notMoving('organization_id')}
      -- Numbers that wait for a slot of their organization have the same next_claim_at: the longest waiting come first.
      order by next_claim_at, lanes.next_campaign_send_at limit :limit for update skip locked`,
    { limit },
  )
}

/** Locks the campaign gates of these organizations, in the order of their id, and returns their times. */
export async function lockCampaignGates(trx: Db, organizationIds: readonly string[]): Promise<Map<string, Date>> {
  if (organizationIds.length === 0) return new Map()
  const ids = [...new Set(organizationIds)].sort()
  await rows(
    trx,
    `insert into campaign_pacing (organization_id, next_send_at)
     select id, 'epoch' from unnest(:ids::uuid[]) as requested(id) order by id on conflict do nothing`,
    { ids },
  )
  const gates = await rows<{ organizationId: string; nextSendAt: Date }>(
    trx,
    `select organization_id, ${standingGate('next_send_at')} as next_send_at from campaign_pacing
      where organization_id = any(:ids::uuid[]) order by organization_id for update`,
    { ids },
  )
  return new Map(gates.map(({ organizationId, nextSendAt }) => [organizationId, nextSendAt]))
}

/** Moves locked gates of campaigns. */
export async function moveCampaignGates(trx: Db, gates: ReadonlyMap<string, Date>): Promise<void> {
  if (gates.size === 0) return
  await rows(
    trx,
    `update campaign_pacing g set next_send_at = moved.next_send_at
       from unnest(:ids::uuid[], :gates::timestamptz[]) as moved(organization_id, next_send_at)
      where g.organization_id = moved.organization_id`,
    { ids: [...gates.keys()], gates: [...gates.values()] },
  )
}

/**
 * Claims messages of locked lanes, in the order of the queue: up to `highLimit` high ones, `limit` others and
 * `campaignLimit` of campaigns for each lane, and few of those that were lost with a process beside `inWork`. Returns
 * them in that order, high ones first. The picked ids reach the update as an array: the planner cannot estimate a join
 * and would scan the whole table. The arrays are selected, which hides their lengths: one plan serves all claims, and
 * is made once for each connection. Otherwise Postgres would plan each claim again, for half of its time.
 */
export async function claimMessages(
  trx: Db,
  lanes: readonly { containerId: string; highLimit: number; limit: number; campaignLimit: number }[],
  options: { token: string; leaseMs: number; inWork?: InWork },
): Promise<ClaimedMessage[]> {
  return preparedRows<ClaimedMessage>(
    trx,
    `with lane as (
       select * from unnest((select :lanes::uuid[]), (select :highLimits::int[]), (select :limits::int[]),
                            (select :campaignLimits::int[]))
                  as l(container_id, high_limit, text_limit, campaign_limit)
     ), picked as materialized (
       select m.id, m.lost_processes from lane cross join lateral (
         select q.id, q.lost_processes from messages q
          where q.container_id = lane.container_id and q.status = 'queued' and q.priority = 'high'
            and q.due_at <= (select service_now())
          order by q.due_at, q.id limit lane.high_limit for update skip locked) m
       union all
       select m.id, m.lost_processes from lane cross join lateral (
         select q.id, q.lost_processes from messages q
          where q.container_id = lane.container_id and q.status = 'queued' and q.priority <> 'high'
            and q.campaign_id is null and q.due_at <= (select service_now())
          order by q.queue_at, q.id limit lane.text_limit for update skip locked) m
       union all
       select m.id, m.lost_processes from lane cross join lateral (
         select q.id, q.lost_processes from messages q
          where q.container_id = lane.container_id and q.status = 'queued' and q.campaign_id is not null
            and q.due_at <= (select service_now())
          order by q.queue_at, q.id limit lane.campaign_limit for update skip locked) m
     ), ${admittedOfPicked}, claimed as (
       update messages t
          set status = 'sending', attempts = attempts + 1, lease_token = :token,
              lease_until = (select service_now()) + :leaseMs * interval '1 millisecond'
        where t.id = any(array(select id from admitted))
       returning t.*
     )
     select id, organization_id, container_id, recipient, content, priority, type, due_at,
            (select k.chat_id from recipient_checks k
              where k.organization_id = claimed.organization_id and k.digits = claimed.recipient
                and k.on_network) as address,
            campaign_id, attempts - lost_claims as attempts, lost_claims, lost_processes, network_client_id,
            outcome_unknown_since
       from claimed order by (priority = 'high') desc, queue_at, id`,
    {
      lanes: lanes.map((lane) => lane.containerId),
      highLimits: lanes.map((lane) => lane.highLimit),
      limits: lanes.map((lane) => lane.limit),
      campaignLimits: lanes.map((lane) => lane.campaignLimit),
      token: options.token,
      leaseMs: options.leaseMs,
      ...suspectBindings(options.inWork ?? noSuspects),
    },
  )
}

/**
 * Writes when each lane is polled next: when its first queued message is due and the gate lets it be planned, or never
 * while nothing is queued. The first twenty are enough to find the earliest, because the queue is nearly in order.
 * `saturated` lanes, whose high messages exceeded the capacity, are polled again after `saturatedMs`.
 */
export async function closeClaim(
  trx: Db,
  lanes: readonly { containerId: string; nextSendAt: Date; nextCampaignSendAt: Date; organizationNextSendAt: Date }[],
  { horizonMs, saturated, saturatedMs }: { horizonMs: number; saturated: readonly string[]; saturatedMs: number },
): Promise<Date | null> {
  const [next] = await preparedRows<{ nextClaimAt: Date | null }>(
    trx,
    `with lane as (
       select * from unnest((select :lanes::uuid[]), (select :gates::timestamptz[]),
                            (select :campaignGates::timestamptz[]), (select :organizationGates::timestamptz[]))
                  as l(container_id, next_send_at, next_campaign_send_at, organization_next_send_at)
     ), next as (
       select lane.container_id, lane.next_send_at, lane.next_campaign_send_at, least(
         (select case when lane.container_id = any(:saturated::uuid[])
                      then greatest(min(q.due_at), (select service_now()) + :saturatedMs * interval '1 millisecond')
                      else min(q.due_at) end from (
            select due_at from messages where container_id = lane.container_id and status = 'queued'
              and priority = 'high'
             order by due_at, id limit 1) q having count(*) > 0),
         (select greatest(min(q.due_at), lane.next_send_at - :horizonMs * interval '1 millisecond') from (
            select due_at from messages where container_id = lane.container_id and status = 'queued'
              and priority <> 'high'
               and campaign_id is null
             order by queue_at, id limit 20) q having count(*) > 0),
         (select greatest(min(q.due_at), greatest(lane.next_campaign_send_at, lane.organization_next_send_at)
                                           - :horizonMs * interval '1 millisecond') from (
            select due_at from messages where container_id = lane.container_id and status = 'queued'
               and campaign_id is not null and due_at < 'infinity'
             order by queue_at, id limit 20) q having count(*) > 0)) as next_claim_at
         from lane
     ), written as (
       update lanes set next_send_at = next.next_send_at, next_campaign_send_at = next.next_campaign_send_at,
              next_claim_at = coalesce(next.next_claim_at, 'infinity')
         from next where lanes.container_id = next.container_id
     )
     select min(next_claim_at) as next_claim_at from next`,
    {
      lanes: lanes.map((lane) => lane.containerId),
      gates: lanes.map((lane) => lane.nextSendAt),
      campaignGates: lanes.map((lane) => lane.nextCampaignSendAt),
      organizationGates: lanes.map((lane) => lane.organizationNextSendAt),
      horizonMs,
      saturated,
      saturatedMs,
    },
  )
  return next?.nextClaimAt ?? null
}

/** Returns when the next open lane is due; null when nothing is queued anywhere. */
export async function nextLaneAt(db: Db): Promise<Date | null> {
  const [next] = await preparedRows<{ nextClaimAt: Date | null }>(
    db,
    `select next_claim_at from lanes where open and next_claim_at < 'infinity' order by next_claim_at
      limit 1`,
  )
  return next?.nextClaimAt ?? null
}

/** Returns those of these lanes that are closed, or gone with their number. Covers all organizations. */
export async function findClosedLanes(db: Db, containerIds: readonly string[]): Promise<string[]> {
  const found = await rows<{ containerId: string }>(
    db,
    `select requested.id as container_id from unnest(:containerIds::uuid[]) as requested(id)
      where not exists (select from lanes where lanes.container_id = requested.id and lanes.open)`,
    { containerIds },
  )
  return found.map(({ containerId }) => containerId)
}
