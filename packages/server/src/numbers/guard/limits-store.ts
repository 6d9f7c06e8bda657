import { type Db, rows } from '#platform/db/db.ts'
import { afterCommit } from '#platform/db/wake.ts'
import type { LimitOverrides } from './guard-rules.ts'

/** A number of an organization. */
interface OneNumber {
  readonly organizationId: string
  readonly containerId: string
}

/** The new conversations that the network allows a number until `resetsAt`; `quota` is null where it names none. */
export interface NetworkQuota {
  readonly used: number
  readonly quota: number | null
  readonly resetsAt: Date | null
}

/**
 * Stores what the network reports about new conversations; a report that is older than the stored one changes nothing.
 */
export async function writeNetworkQuota(db: Db, number: OneNumber, quota: NetworkQuota, at: Date): Promise<void> {
  await rows(
    db,
    `insert into number_guards (container_id, organization_id, network_used, network_quota, network_resets_at,
       network_reported_at)
     select id, organization_id, :used, :quota, :resetsAt::timestamptz, :at
       from numbers where id = :containerId and organization_id = :organizationId
     on conflict (container_id) do update
        set network_used = excluded.network_used, network_quota = excluded.network_quota,
            network_resets_at = excluded.network_resets_at, network_reported_at = excluded.network_reported_at
      where coalesce(number_guards.network_reported_at, '-infinity') <= excluded.network_reported_at`,
    { ...number, ...quota, at },
  )
}

/** The rules of one number as the operator set them. Null keeps those of its driver and its age. */
export interface OperatorLimits {
  readonly mode: 'on' | 'off' | null
  readonly conversations: number | null
  readonly perHour: number | null
  readonly perDay: number | null
}

/** Returns the organization and the driver of a number, of any organization. */
export async function findOwner(
  db: Db,
  containerId: string,
): Promise<{ organizationId: string; gateway: string } | null> {
  const [found] = await rows<{ organizationId: string; gateway: string }>(
    db,
    'select organization_id, gateway from numbers where id = :containerId',
    { containerId },
  )
  return found ?? null
}

/** Stores what the operator decided about a number; `guarded` is what its lane says from now on. */
export async function writeOperatorLimits(
  trx: Db,
  number: OneNumber,
  limits: OperatorLimits,
  guarded: boolean | null,
): Promise<void> {
  await rows(
    trx,
    `insert into number_guards (container_id, organization_id, mode, conversations, per_hour, per_day)
     values (:containerId, :organizationId, :mode, :conversations, :perHour, :perDay)
     on conflict (container_id) do update
        set mode = excluded.mode, conversations = excluded.conversations, per_hour = excluded.per_hour,
            per_day = excluded.per_day`,
    { ...number, ...limits },
  )
  await trx('lanes').where({ containerId: number.containerId }).update({ guarded })
}

/** Returns what the operator decided about a number. */
export async function findOperatorLimits(db: Db, containerId: string): Promise<OperatorLimits> {
  const [found] = await rows<OperatorLimits>(
    db,
    `select mode, conversations, per_hour, per_day from number_guards
      where container_id = :containerId`,
    { containerId },
  )
  return found ?? { mode: null, conversations: null, perHour: null, perDay: null }
}

/**
 * Lets the held messages of a number be judged again now, in the order in which they were accepted: its limits changed.
 * Returns how many. Works in a transaction.
 */
export async function judgeAgain(trx: Db, { organizationId, containerId }: OneNumber): Promise<number> {
  const [lane] = await rows(trx, 'select container_id from lanes where container_id = :containerId for update', {
    containerId,
  })
  if (!lane) return 0
  const released = await rows(
    trx,
    `update messages set due_at = (select service_now()), queue_at = created_at
      where organization_id = :organizationId and container_id = :containerId and status = 'queued'
        and guard_rule is not null and due_at > (select service_now())
     returning id`,
    { organizationId, containerId },
  )
  if (released.length > 0) {
    await rows(
      trx,
      'update lanes set next_claim_at = least(next_claim_at, (select service_now())) where container_id = :containerId',
      { containerId },
    )
    afterCommit(trx, 'lanes')
  }
  return released.length
}

/** Returns the overrides of a row of limits, without those that keep the table. */
export function toOverrides({ conversations, perHour, perDay }: Omit<OperatorLimits, 'mode'>): LimitOverrides {
  return {
    ...(conversations !== null && { conversations }),
    ...(perHour !== null && { perHour }),
    ...(perDay !== null && { perDay }),
  }
}
