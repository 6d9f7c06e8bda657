import type { NumberStatus } from '@msgctl/contract'
import type { LinkStep } from '@msgctl/network/gateway'
import { insertLanesSql } from '#numbers/lanes/lane-store.ts'
import { countRows, type Db, firstRow, rows } from '#platform/db/db.ts'
import type { Row } from '#platform/db/tables.ts'

/** The row of a number. */
export interface NumberRow
  extends Omit<Row<'numbers'>, 'status' | 'desiredState' | 'lastReportedProblem' | 'linkStep' | 'unusedWarnedAt'> {
  /** The driver that serves it. */
  readonly gateway: string
  readonly status: NumberStatus
  /** The time of the last report or decision about the status. */
  readonly statusAt: Date
  /** The sequence of the network's last report. */
  readonly reportSequence: number
  /** Since when the number has its status, and the reason as one stable word. */
  readonly statusSince: Date
  /** The code of the network for that reason, where it says more. */
  readonly statusCode: number | null
  readonly desiredState: 'running' | 'stopped'
  /** Since when that phone is linked. */
  readonly linkedAt: Date | null
  /** The problem reported since the number last worked; `recovered` is reported only after one. */
  readonly lastReportedProblem: 'needs_scan' | 'disconnected' | null
  /** When the supervisor checks it next; null when only a person can change its state. */
  readonly nextCheckAt: Date | null
  /** Consecutive checks at which its host did not respond. */
  readonly missedProbes: number
  /** Whether an event has reported that the quick reconnection attempts are used up. */
  readonly exhaustionReported: boolean
  /** When it was reconnected because the network acknowledged nothing that it sent. */
  readonly noAcksAt: Date | null
  /** When a failed number is tried again, where the network says so. */
  readonly retryAt: Date | null
  /** Whether the network said that a failed number must not be tried again by itself. */
  readonly isFinal: boolean
  /** What a person has to do beside the QR to complete the link. */
  readonly linkStep: LinkStep | null
  /** Until when the network lets the account begin no new chats. */
  readonly blockedUntil: Date | null
  /** Until when the network limits what the account may send. */
  readonly restrictedUntil: Date | null
  readonly apiKeyPreview: string | null
  readonly apiKeyLastUsedAt: Date | null
}

export const numberColumns = `
  n.id, n.organization_id, n.gateway, n.label, n.instance_name, n.is_default, n.status, n.status_at, n.report_sequence,
  n.desired_state, n.phone_number, n.network_id, n.push_name, n.last_linked_phone, n.linked_at, n.ever_linked,
  n.queue_held_at, n.last_reported_problem, n.down_since, n.retry_count, n.total_recoveries, n.total_failures,
  n.connected_since, n.last_healthy_at, n.last_error_at, n.last_error, n.status_since, n.status_reason, n.status_code,
  n.next_check_at, n.missed_probes, n.exhaustion_reported, n.no_acks_at, n.retry_at, n.is_final, n.link_step,
  n.blocked_until, n.restricted_until,
  (select k.preview from api_keys k where k.organization_id = n.organization_id and k.container_id = n.id)
    as api_key_preview,
  (select k.last_used_at from api_keys k where k.organization_id = n.organization_id and k.container_id = n.id)
    as api_key_last_used_at, n.created_at`

/** Returns the organization's numbers, oldest first. */
export async function listNumbers(db: Db, organizationId: string): Promise<NumberRow[]> {
  return rows<NumberRow>(
    db,
    `select ${numberColumns} from numbers n where n.organization_id = :organizationId order by n.created_at, n.id`,
    { organizationId },
  )
}

/** Counts the numbers of an organization. */
export async function countNumbers(db: Db, organizationId: string): Promise<number> {
  return countRows(db('numbers').where({ organizationId }))
}

/** Returns a number of the organization. */
export async function findNumber(db: Db, organizationId: string, containerId: string): Promise<NumberRow | undefined> {
  return firstRow<NumberRow>(
    db,
    `select ${numberColumns} from numbers n where n.organization_id = :organizationId and n.id = :containerId`,
    { organizationId, containerId },
  )
}

/** Returns a number of the organization, locked until the transaction ends. */
export async function lockNumber(trx: Db, organizationId: string, containerId: string): Promise<NumberRow | undefined> {
  return firstRow<NumberRow>(
    trx,
    `select ${numberColumns} from numbers n where n.organization_id = :organizationId and n.id = :containerId
        for update of n`,
    { organizationId, containerId },
  )
}

/** Returns numbers of the organization, locked in the order of their ids until the transaction ends. */
export async function lockNumbersOf(
  trx: Db,
  organizationId: string,
  containerIds: readonly string[],
): Promise<NumberRow[]> {
  return rows<NumberRow>(
    trx,
    `select ${numberColumns} from numbers n
      where n.organization_id = :organizationId and n.id = any(:containerIds::uuid[]) order by n.id for update of n`,
    { organizationId, containerIds },
  )
}

/** The extra numbers that an organization has: those of the operator and those that it pays for. */
export interface ExtraNumbers {
  readonly extra: number
  /** The next moment at which they become fewer; null when none is known. */
  readonly extraExpiresAt: Date | null
}

/** SQL: the extra numbers of the organization `o` with its row `e` of `entitlements`, as {@link ExtraNumbers}. */
export const extraNumbers = `
  select given + paid as extra,
         least(case when given > 0 then o.extra_expires_at end, case when paid > 0 then e.paid_until end)
           as extra_expires_at
    from (select case when o.extra_expires_at <= (select service_now()) then 0 else o.extra_numbers end as given,
                 case when e.paid_products = '{}' then 0 else o.paid_extra_numbers end as paid) held`

/** Returns the extra numbers of an organization. */
export async function findExtra(db: Db, organizationId: string): Promise<ExtraNumbers> {
  const [found] = await rows<ExtraNumbers>(
    db,
    `select held.* from organizations o join entitlements e on e.organization_id = o.id
      cross join lateral (${extraNumbers}) held where o.id = :organizationId`,
    { organizationId },
  )
  return found ?? { extra: 0, extraExpiresAt: null }
}

/**
 * Locks the set of an organization's numbers, so that two requests cannot exceed the allowance together and there is
 * one default. Taken before the lock of a number.
 */
export async function lockNumbers(trx: Db, organizationId: string): Promise<void> {
  await trx('organizations').select('id').where({ id: organizationId }).forNoKeyUpdate()
}

/** Adds a number with its lane. The first one of the organization becomes the default. */
export async function insertNumber(
  trx: Db,
  number: { id: string; organizationId: string; gateway: string; label: string; instanceName: string },
): Promise<void> {
  await rows(
    trx,
    `with added as (
       insert into numbers (id, organization_id, gateway, label, instance_name, is_default, status, status_at,
           status_since,
                            status_reason, next_check_at, created_at)
       select :id, :organizationId, :gateway, :label, :instanceName,
              not exists (select from numbers where organization_id = :organizationId and is_default),
              'STARTING', now, now, 'created', now + interval '1 minute', now
         from (select service_now() as now) t
       returning id, organization_id, status_at
     ), lane as (
       ${insertLanesSql('added')}
     )
     insert into number_history (organization_id, container_id, at, from_status, to_status, reason, source)
     select organization_id, id, status_at, null, 'STARTING', 'created', 'user' from added`,
    // The simulated network restricts no number.
    { ...number, guarded: number.gateway === 'simulator' ? null : true },
  )
}

/** Renames a number; with `isDefault` it also replaces the default. */
export async function updateNumber(
  trx: Db,
  organizationId: string,
  containerId: string,
  change: { label: string | null; isDefault: boolean },
): Promise<void> {
  if (change.isDefault) {
    await trx('numbers').where({ organizationId, isDefault: true }).update({ isDefault: false })
  }
  await rows(
    trx,
    `update numbers set label = coalesce(:label, label), is_default = is_default or :isDefault
      where organization_id = :organizationId and id = :containerId`,
    { organizationId, containerId, ...change },
  )
}

/**
 * Records until when the network lets a number begin no new chats; an earlier time than the stored one changes nothing.
 */
export async function blockNewChats(
  db: Db,
  { organizationId, containerId }: { readonly organizationId: string; readonly containerId: string },
  until: Date,
): Promise<void> {
  await rows(
    db,
    `update numbers set blocked_until = greatest(blocked_until, :until)
      where organization_id = :organizationId and id = :containerId`,
    { organizationId, containerId, until },
  )
}

/** Records until when the network blocks new chats of a number, as it reports by itself; null: it does not. */
export async function writeBlock(
  db: Db,
  { organizationId, containerId }: { readonly organizationId: string; readonly containerId: string },
  until: Date | null,
): Promise<void> {
  await db('numbers').where({ organizationId, id: containerId }).update({ blockedUntil: until })
}

/** Deletes a number with its key. When it was the default, the oldest number left becomes the default. */
export async function deleteNumber(trx: Db, organizationId: string, containerId: string): Promise<void> {
  await trx('api_keys').where({ organizationId, containerId }).delete()
  await trx('numbers').where({ organizationId, id: containerId }).delete()
  await rows(
    trx,
    `update numbers set is_default = true
      where organization_id = :organizationId
        and id = (select id from numbers where organization_id = :organizationId order by created_at, id limit 1)
        and not exists (select from numbers where organization_id = :organizationId and is_default)`,
    { organizationId },
  )
}

/** Returns whether a product of the organization is off only because the free trial has ended. */
export async function hasEndedTrial(db: Db, organizationId: string): Promise<boolean> {
  const ended = await rows(
    db,
    'select 1 as ended from entitlements where organization_id = :organizationId and trial_ended',
    { organizationId },
  )
  return ended.length > 0
}

/** Returns whether any number of the service uses a driver. */
export async function isDriverUsed(db: Db, driver: string): Promise<boolean> {
  const found = await rows(db, 'select 1 as used from numbers where gateway = :driver limit 1', { driver })
  return found.length > 0
}
