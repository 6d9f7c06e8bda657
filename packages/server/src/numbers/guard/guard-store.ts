import type { GuardRule } from '@msgctl/contract'
import { type Db, rows } from '#platform/db/db.ts'
import type { Row } from '#platform/db/tables.ts'
import { type Relation, slotMs, type Usage } from './guard.ts'

/** A number with what its guard rules depend on. */
export interface GuardRow
  extends Pick<
    Row<'number_guards'>,
    'perHour' | 'perDay' | 'networkUsed' | 'networkQuota' | 'networkResetsAt' | 'networkReportedAt' | 'stoppedAt'
  > {
  readonly containerId: string
  /** What its lane says: see `isGuarded`. */
  readonly guarded: boolean | null
  readonly linkedAt: Date
  readonly conversations: number | null
  /** Conversations that the number began since the network reported its quota. */
  readonly begunSince: number
  readonly blockedUntil: Date | null
  readonly usage: readonly Usage[]
}

/** Returns what the guard rules depend on for these numbers, of all organizations. */
export async function findGuards(db: Db, containerIds: readonly string[]): Promise<GuardRow[]> {
  return rows<GuardRow>(
    db,
    `select n.id as container_id, coalesce(n.linked_at, n.created_at) as linked_at, l.guarded, g.conversations,
            g.per_hour, g.per_day, g.network_used, g.network_quota, g.network_resets_at, g.network_reported_at,
            case when g.network_reported_at is null then 0 else (
              select count(*) from guard_sends s
               where s.container_id = n.id and s.at > g.network_reported_at and s.opens) end as begun_since,
            greatest(n.blocked_until, g.paused_until) as blocked_until, g.stopped_at,
            (select coalesce(json_agg(u), '[]')
               from (select (extract(epoch
                     from date_bin(:slotMs * interval '1 millisecond', s.at, 'epoch')) * 1000)::int8
                              as "slotMs",
                            count(*) as messages, count(*) filter (where s.opens) as conversations
                       from guard_sends s
                      where s.container_id = n.id and s.at > (select service_now()) - interval '24 hours 20 minutes'
                      group by 1) u) as usage
       from unnest(:containerIds::uuid[]) as requested(id) join numbers n on n.id = requested.id
       left join lanes l on l.container_id = n.id
       left join number_guards g on g.container_id = n.id`,
    { containerIds, slotMs },
  )
}

/** A recipient of a number. */
interface Pair {
  readonly organizationId: string
  readonly containerId: string
  readonly recipient: string
}

/** Returns who each recipient is to its number, in the given order. */
export async function findRelations(db: Db, pairs: readonly Pair[]): Promise<Relation[]> {
  if (pairs.length === 0) return []
  const found = await rows<{ relation: Relation }>(
    db,
    `select case
              when exists (select from chat_messages m
                            where m.container_id = pair.container_id and m.contact_id = contact.id
                              and m.at > (select service_now()) - interval '24 hours'
                                and m.direction = 'in') then 'replied'
              when exists (select from chats c where c.container_id = pair.container_id and c.contact_id = contact.id)
                or exists (select from guard_sends s
                            where s.container_id = pair.container_id and s.recipient = pair.recipient
                              and s.opens and s.refused_at is null) then 'known'
              else 'new' end as relation
       from unnest(:organizationIds::uuid[], :containerIds::uuid[], :recipients::text[]) with ordinality
              as pair(organization_id, container_id, recipient, position)
       left join lateral (
         (select id from contacts where organization_id = pair.organization_id and phone = pair.recipient)
         union all
         (select id from contacts where organization_id = pair.organization_id and lid = pair.recipient)
         limit 1) contact on true
      order by pair.position`,
    {
      organizationIds: pairs.map((pair) => pair.organizationId),
      containerIds: pairs.map((pair) => pair.containerId),
      recipients: pairs.map((pair) => pair.recipient),
    },
  )
  return found.map(({ relation }) => relation)
}

/** A message that passed the rules and counts. */
export interface GuardSend extends Pair {
  readonly id: string
  readonly opens: boolean
}

/** Records messages that passed the rules. */
export async function insertSends(db: Db, sends: readonly GuardSend[], at: Date): Promise<void> {
  if (sends.length === 0) return
  await rows(
    db,
    `insert into guard_sends (organization_id, container_id, at, message_id, recipient, opens)
     select organization_id, container_id, :at, message_id, recipient, opens
       from unnest(:organizationIds::uuid[], :containerIds::uuid[], :ids::uuid[], :recipients::text[],
           :opens::boolean[])
         as s(organization_id, container_id, message_id, recipient, opens)`,
    {
      at,
      organizationIds: sends.map((send) => send.organizationId),
      containerIds: sends.map((send) => send.containerId),
      ids: sends.map((send) => send.id),
      recipients: sends.map((send) => send.recipient),
      opens: sends.map((send) => send.opens),
    },
  )
}

/** A message that a rule holds until a time. */
export interface Hold {
  readonly id: string
  readonly rule: GuardRule
  readonly until: Date
  readonly opens: boolean
}

/**
 * Holds messages: claimed ones of this transaction, which return to the queue without an attempt, and queued ones. They
 * take their place in the queue by the time until which they are held.
 */
export async function writeHolds(trx: Db, holds: readonly Hold[]): Promise<void> {
  if (holds.length === 0) return
  await rows(
    trx,
    `update messages m
        set status = 'queued', attempts = m.attempts - (m.status = 'sending')::int, lease_token = null,
            lease_until = null,
            due_at = hold.until, queue_at = hold.until, guard_rule = hold.rule, guard_opens = hold.opens,
            guard_held_at = coalesce(m.guard_held_at, (select service_now()))
       from unnest(:ids::uuid[], :rules::text[], :untils::timestamptz[], :opens::boolean[]) as hold(id, rule, until,
           opens)
      where m.id = hold.id`,
    {
      ids: holds.map((hold) => hold.id),
      rules: holds.map((hold) => hold.rule),
      untils: holds.map((hold) => hold.until),
      opens: holds.map((hold) => hold.opens),
    },
  )
}

/** A queued message that is judged before it is claimed. */
export interface Waiting extends Pair {
  readonly id: string
  readonly campaignId: string | null
  readonly anyHour: boolean
}

/**
 * Locks the next due texts of a number, or its next campaign messages, in the order of the queue. High ones are left
 * out.
 */
export async function lockWaiting(
  trx: Db,
  containerId: string,
  queue: 'texts' | 'campaigns',
  limit: number,
): Promise<Waiting[]> {
  return rows<Waiting>(
    trx,
    `with due as materialized (
       select id, organization_id, container_id, recipient, campaign_id, queue_at from messages
        where container_id = :containerId and status = 'queued' and due_at <= (select service_now())
          and ${queue === 'texts' ? `priority <> 'high' and campaign_id is null` : 'campaign_id is not null'}
        order by queue_at, id limit :limit for update skip locked
     )
     select due.id, due.organization_id, due.container_id, due.recipient,
            due.campaign_id, coalesce(c.any_hour, false) as any_hour
       from due left join campaigns c on c.id = due.campaign_id order by due.queue_at, due.id`,
    { containerId, limit },
  )
}

/** Returns which of these campaigns send at any hour, of all organizations. */
export async function findAnyHour(db: Db, campaignIds: readonly string[]): Promise<string[]> {
  if (campaignIds.length === 0) return []
  const found = await rows<{ id: string }>(
    db,
    'select id from campaigns where id = any(:campaignIds::uuid[]) and any_hour',
    {
      campaignIds,
    },
  )
  return found.map(({ id }) => id)
}

/** Returns the places in the future that held messages of a number have. Texts do not wait for those of campaigns. */
export async function findReservations(
  db: Db,
  { organizationId, containerId }: Pick<Pair, 'organizationId' | 'containerId'>,
  queue: 'texts' | 'campaigns',
): Promise<Usage[]> {
  return rows<Usage>(
    db,
    `select (extract(epoch from date_bin(:slotMs * interval '1 millisecond', due_at, 'epoch')) * 1000)::int8
              as slot_ms,
            count(*) as messages, count(*) filter (where guard_opens) as conversations
       from messages
      where organization_id = :organizationId and container_id = :containerId and status = 'queued'
        and guard_rule is not null and due_at > (select service_now())
        ${queue === 'texts' ? 'and campaign_id is null' : ''}
      group by 1`,
    { organizationId, containerId, slotMs },
  )
}

/**
 * Returns how many messages of an organization each rule holds, or of one of its numbers. At most 100,000 are counted.
 */
export async function countHeld(
  db: Db,
  organizationId: string,
  containerId: string | null = null,
): Promise<{ readonly rule: GuardRule; readonly count: number }[]> {
  return rows(
    db,
    `select guard_rule as rule, count(*) from (
       select guard_rule from messages
        where organization_id = :organizationId and status = 'queued' and guard_rule is not null
          and (:containerId::uuid is null or container_id = :containerId) limit 100000) held
      group by 1 order by 1`,
    { organizationId, containerId },
  )
}

/** Deletes messages that are older than any window, a batch at a time. Covers all organizations. Returns how many. */
export async function deleteExpiredSends(db: Db, limit = 10_000): Promise<number> {
  const deleted = await rows(
    db,
    `delete from guard_sends where id = any(array(
       select id from guard_sends where at < (select service_now()) - interval '3 days' limit :limit))
     returning id`,
    { limit },
  )
  return deleted.length
}
