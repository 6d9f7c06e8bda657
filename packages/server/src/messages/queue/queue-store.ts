import { type Db, rows } from '../../db/db.ts'
import { standingGate } from './lane-gate.ts'

/** A lane that a dispatcher looks at, locked until its transaction ends. */
export interface DueLane {
  readonly containerId: string
  readonly organizationId: string
  readonly nextSendAt: Date
  /** The gate of its campaign messages. */
  readonly nextCampaignSendAt: Date
  /** Whether campaign messages wait in it that are due. */
  readonly hasCampaign: boolean
}

/** A message that this dispatcher holds until `leaseUntil`, as long as its token stands. */
export interface ClaimedMessage {
  readonly id: string
  readonly organizationId: string
  readonly containerId: string
  readonly recipient: string
  readonly content: string
  readonly priority: 'high' | 'normal' | 'low'
  readonly campaignId: string | null
  /** This try and those before it, without those whose process was lost. */
  readonly attempts: number
  readonly networkClientId: string
  readonly outcomeUnknownSince: Date | null
}

/** Locks lanes whose time has come, and answers the service's time of the look. */
export async function lockDueLanes(trx: Db, limit: number): Promise<DueLane[]> {
  return rows<DueLane>(
    trx,
    `select container_id as "containerId", organization_id as "organizationId", ${standingGate('next_send_at')} as "nextSendAt",
            ${standingGate('next_campaign_send_at')} as "nextCampaignSendAt",
            -- In the order of its index, or the planner may read the table whole for a lane that has none.
            coalesce((select true from messages m
                       where m.container_id = lanes.container_id and m.status = 'queued' and m.campaign_id is not null
                         and m.due_at <= (select service_now())
                       order by m.queue_at, m.id limit 1), false) as "hasCampaign"
       from lanes
      where open and next_claim_at <= (select service_now())
      -- The numbers that wait for a turn of their organization have one next_claim_at; the longest waiting are first there too.
      order by next_claim_at, next_campaign_send_at limit :limit for update skip locked`,
    { limit },
  )
}

/** Locks the gates of these organizations' campaigns, in the order of their id, and answers where they stand. */
export async function lockCampaignGates(trx: Db, organizationIds: readonly string[]): Promise<Map<string, Date>> {
  if (organizationIds.length === 0) return new Map()
  const ids = [...new Set(organizationIds)].sort()
  await rows(
    trx,
    `insert into campaign_pacing (organization_id, next_send_at)
     select id, 'epoch' from unnest(:ids::uuid[]) as wanted(id) order by id on conflict do nothing`,
    { ids },
  )
  const gates = await rows<{ organizationId: string; nextSendAt: Date }>(
    trx,
    `select organization_id as "organizationId", ${standingGate('next_send_at')} as "nextSendAt" from campaign_pacing
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
 * Claims messages of locked lanes: as many high ones as `highRoom` says for the lane, and of the others as many as `room`
 * says, in the order of the queue; of the campaign messages, which wait beside them, as many as `campaignLimit` says. The answer is in that order too, high ones first.
 * What was picked reaches the update as an array: how many a join would meet is not known to the planner, which then reads
 * the table whole.
 */
export async function claimMessages(
  trx: Db,
  lanes: readonly { containerId: string; highLimit: number; limit: number; campaignLimit: number }[],
  options: { token: string; leaseMs: number },
): Promise<ClaimedMessage[]> {
  return rows<ClaimedMessage>(
    trx,
    `with lane as (
       select * from unnest(:lanes::uuid[], :highRooms::int[], :rooms::int[], :campaignRooms::int[])
                  as l(container_id, high_room, room, campaign_room)
     ), picked as materialized (
       select m.id from lane cross join lateral (
         select q.id from messages q
          where q.container_id = lane.container_id and q.status = 'queued' and q.priority = 'high'
            and q.due_at <= (select service_now())
          order by q.due_at, q.id limit lane.high_room for update skip locked) m
       union all
       select m.id from lane cross join lateral (
         select q.id from messages q
          where q.container_id = lane.container_id and q.status = 'queued' and q.priority <> 'high'
            and q.campaign_id is null and q.due_at <= (select service_now())
          order by q.queue_at, q.id limit lane.room for update skip locked) m
       union all
       select m.id from lane cross join lateral (
         select q.id from messages q
          where q.container_id = lane.container_id and q.status = 'queued' and q.campaign_id is not null
            and q.due_at <= (select service_now())
          order by q.queue_at, q.id limit lane.campaign_room for update skip locked) m
     ), claimed as (
       update messages t
          set status = 'sending', attempts = attempts + 1, lease_token = :token,
              lease_until = (select service_now()) + :leaseMs * interval '1 millisecond'
        where t.id = any(array(select id from picked))
       returning t.*
     )
     select id, organization_id as "organizationId", container_id as "containerId", recipient, content, priority,
            campaign_id as "campaignId", attempts - lost_claims as attempts, network_client_id as "networkClientId", outcome_unknown_since as "outcomeUnknownSince"
       from claimed order by (priority = 'high') desc, queue_at, id`,
    {
      lanes: lanes.map((lane) => lane.containerId),
      highRooms: lanes.map((lane) => lane.highLimit),
      rooms: lanes.map((lane) => lane.limit),
      campaignRooms: lanes.map((lane) => lane.campaignLimit),
      token: options.token,
      leaseMs: options.leaseMs,
    },
  )
}

/**
 * Says when each lane must be looked at again: when its first waiting message is due and the gate lets it be planned,
 * or never while nothing waits. The first twenty are enough to find the earliest, because the queue is nearly in order.
 * The high messages of `crowded` lanes had no room, and are looked at again after `saturatedMs`.
 */
export async function closeClaim(
  trx: Db,
  lanes: readonly { containerId: string; nextSendAt: Date; nextCampaignSendAt: Date; organizationNextSendAt: Date }[],
  { horizonMs, saturated, saturatedMs }: { horizonMs: number; saturated: readonly string[]; saturatedMs: number },
): Promise<Date | null> {
  const [next] = await rows<{ nextClaimAt: Date | null }>(
    trx,
    `with lane as (
       select * from unnest(:lanes::uuid[], :gates::timestamptz[], :campaignGates::timestamptz[], :organizationGates::timestamptz[])
                  as l(container_id, next_send_at, next_campaign_send_at, organization_next_send_at)
     ), next as (
       select lane.container_id, lane.next_send_at, lane.next_campaign_send_at, least(
         (select case when lane.container_id = any(:crowded::uuid[])
                      then greatest(min(q.due_at), (select service_now()) + :crowdedMs * interval '1 millisecond')
                      else min(q.due_at) end from (
            select due_at from messages where container_id = lane.container_id and status = 'queued' and priority = 'high'
             order by due_at, id limit 1) q having count(*) > 0),
         (select greatest(min(q.due_at), lane.next_send_at - :horizonMs * interval '1 millisecond') from (
            select due_at from messages where container_id = lane.container_id and status = 'queued' and priority <> 'high'
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
     select min(next_claim_at) as "nextClaimAt" from next`,
    {
      lanes: lanes.map((lane) => lane.containerId),
      gates: lanes.map((lane) => lane.nextSendAt),
      campaignGates: lanes.map((lane) => lane.nextCampaignSendAt),
      organizationGates: lanes.map((lane) => lane.organizationNextSendAt),
      horizonMs,
      crowded: saturated,
      crowdedMs: saturatedMs,
    },
  )
  return next?.nextClaimAt ?? null
}

/** When the next open lane has to be looked at; null when nothing waits anywhere. */
export async function nextLaneAt(db: Db): Promise<Date | null> {
  const [next] = await rows<{ nextClaimAt: Date | null }>(
    db,
    `select next_claim_at as "nextClaimAt" from lanes where open and next_claim_at < 'infinity' order by next_claim_at limit 1`,
  )
  return next?.nextClaimAt ?? null
}

/** Which of these lanes nothing leaves any more: they are shut, or gone with their number. All tenants are looked at. */
export async function findClosedLanes(db: Db, containerIds: readonly string[]): Promise<string[]> {
  const found = await rows<{ containerId: string }>(
    db,
    `select asked.id as "containerId" from unnest(:containerIds::uuid[]) as asked(id)
      where not exists (select from lanes where lanes.container_id = asked.id and lanes.open)`,
    { containerIds },
  )
  return found.map(({ containerId }) => containerId)
}
