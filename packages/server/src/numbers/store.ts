import type { NumberStatus } from '@msgctl/contract'
import { type Db, rows } from '../db/db.ts'

/** A number as its row stands. */
export interface NumberRow {
  readonly id: string
  readonly organizationId: string
  readonly label: string
  readonly instanceName: string
  readonly isDefault: boolean
  readonly status: NumberStatus
  /** When the status was last reported; a report that is older tells nothing new. */
  readonly statusAt: Date
  readonly wanted: 'running' | 'stopped'
  readonly phoneNumber: string | null
  readonly networkId: string | null
  readonly pushName: string | null
  readonly lastLinkedPhone: string | null
  readonly everLinked: boolean
  readonly heldAt: Date | null
  readonly downAnnounced: boolean
  readonly downSince: Date | null
  readonly retryCount: number
  readonly totalRecoveries: number
  readonly totalFailures: number
  readonly connectedSince: Date | null
  readonly lastHealthyAt: Date | null
  readonly lastErrorAt: Date | null
  readonly lastError: string | null
  readonly apiKeyPreview: string | null
  readonly createdAt: Date
}

const columns = `
  n.id, n.organization_id as "organizationId", n.label, n.instance_name as "instanceName", n.is_default as "isDefault",
  n.status, n.status_at as "statusAt", n.wanted, n.phone_number as "phoneNumber", n.network_id as "networkId", n.push_name as "pushName",
  n.last_linked_phone as "lastLinkedPhone", n.ever_linked as "everLinked", n.held_at as "heldAt",
  n.down_announced as "downAnnounced", n.down_since as "downSince", n.retry_count as "retryCount",
  n.total_recoveries as "totalRecoveries", n.total_failures as "totalFailures", n.connected_since as "connectedSince",
  n.last_healthy_at as "lastHealthyAt", n.last_error_at as "lastErrorAt", n.last_error as "lastError",
  (select k.preview from api_keys k where k.container_id = n.id) as "apiKeyPreview", n.created_at as "createdAt"`

/** The organization's numbers, oldest first. */
export async function listNumbers(db: Db, organizationId: string): Promise<NumberRow[]> {
  return rows<NumberRow>(
    db,
    `select ${columns} from numbers n where n.organization_id = :organizationId order by n.created_at, n.id`,
    { organizationId },
  )
}

/** One number of the organization. */
export async function findNumber(db: Db, organizationId: string, containerId: string): Promise<NumberRow | undefined> {
  const [found] = await rows<NumberRow>(
    db,
    `select ${columns} from numbers n where n.organization_id = :organizationId and n.id = :containerId`,
    { organizationId, containerId },
  )
  return found
}

/** One number of the organization, locked until the transaction ends. */
export async function lockNumber(trx: Db, organizationId: string, containerId: string): Promise<NumberRow | undefined> {
  const [found] = await rows<NumberRow>(
    trx,
    `select ${columns} from numbers n where n.organization_id = :organizationId and n.id = :containerId for update of n`,
    { organizationId, containerId },
  )
  return found
}

const extraOf = `
  select case when extra_expires_at is null or extra_expires_at > (select service_now()) then extra_numbers else 0 end as extra,
         extra_expires_at as "extraExpiresAt"
    from organizations where id = :organizationId`

/** Locks the organization's row, so that two numbers are never added past the allowance together. */
export async function lockAllowance(
  trx: Db,
  organizationId: string,
): Promise<{ extra: number; extraExpiresAt: Date | null } | undefined> {
  const [found] = await rows<{ extra: number; extraExpiresAt: Date | null }>(trx, `${extraOf} for update`, {
    organizationId,
  })
  return found
}

/** The numbers an organization bought on top, as far as they are paid. */
export async function findExtra(
  db: Db,
  organizationId: string,
): Promise<{ extra: number; extraExpiresAt: Date | null }> {
  const [found] = await rows<{ extra: number; extraExpiresAt: Date | null }>(db, extraOf, { organizationId })
  return found ?? { extra: 0, extraExpiresAt: null }
}

/** Adds a number with its lane. The first one of the organization becomes the default. */
export async function insertNumber(
  trx: Db,
  number: { id: string; organizationId: string; label: string; instanceName: string },
): Promise<void> {
  await rows(
    trx,
    `with added as (
       insert into numbers (id, organization_id, label, instance_name, is_default, status, status_at, created_at)
       select :id, :organizationId, :label, :instanceName,
              not exists (select from numbers where organization_id = :organizationId and is_default),
              'STARTING', now, now
         from (select service_now() as now) t
       returning id, organization_id, status_at
     ), recorded as (
       insert into number_history (organization_id, container_id, at, from_status, to_status, reason, source)
       select organization_id, id, status_at, null, 'STARTING', 'created', 'user' from added
     )
     insert into lanes (container_id, organization_id) select id, organization_id from added`,
    number,
  )
}

/** Renames a number and, when asked, makes it the default in place of the present one. */
export async function updateNumber(
  trx: Db,
  organizationId: string,
  containerId: string,
  change: { label: string | null; isDefault: boolean },
): Promise<void> {
  if (change.isDefault) {
    await rows(trx, 'update numbers set is_default = false where organization_id = :organizationId and is_default', {
      organizationId,
    })
  }
  await rows(
    trx,
    `update numbers set label = coalesce(:label, label), is_default = is_default or :isDefault
      where organization_id = :organizationId and id = :containerId`,
    { organizationId, containerId, ...change },
  )
}

/** Removes a number with its lane and keys. The oldest one left becomes the default when the default goes. */
export async function deleteNumber(trx: Db, organizationId: string, containerId: string): Promise<void> {
  const scope = { organizationId, containerId }
  await rows(trx, 'delete from api_keys where organization_id = :organizationId and container_id = :containerId', scope)
  await rows(trx, 'delete from lanes where organization_id = :organizationId and container_id = :containerId', scope)
  await rows(trx, 'delete from numbers where organization_id = :organizationId and id = :containerId', scope)
  await rows(
    trx,
    `update numbers set is_default = true
      where id = (select id from numbers where organization_id = :organizationId order by created_at, id limit 1)
        and not exists (select from numbers where organization_id = :organizationId and is_default)`,
    { organizationId },
  )
}

/** What a step of a number's state changes in its row. */
export interface StateChange {
  readonly status: NumberStatus
  readonly phoneNumber: string | null
  readonly networkId: string | null
  readonly pushName: string | null
  readonly lastLinkedPhone: string | null
  readonly everLinked: boolean
  readonly heldAt: Date | null
  readonly downAnnounced: boolean
  readonly downSince: Date | null
  readonly retryCount: number
  readonly totalRecoveries: number
  readonly totalFailures: number
  readonly connectedSince: Date | null
  readonly lastHealthyAt: Date | null
  readonly lastErrorAt: Date | null
  readonly lastError: string | null
}

/** Writes a step of a locked number, its history and whether its lane is open. */
export async function writeState(
  trx: Db,
  number: Pick<NumberRow, 'id' | 'organizationId' | 'status'>,
  change: StateChange,
  history: { reason: string | null; source: 'network' | 'user' | 'supervisor'; at: Date },
): Promise<void> {
  const { id, organizationId } = number
  await rows(
    trx,
    `update numbers
        set status_at = :at, status = :status, phone_number = :phoneNumber, network_id = :networkId, push_name = :pushName,
            last_linked_phone = :lastLinkedPhone, ever_linked = :everLinked, held_at = :heldAt,
            down_announced = :downAnnounced, down_since = :downSince, retry_count = :retryCount,
            total_recoveries = :totalRecoveries, total_failures = :totalFailures, connected_since = :connectedSince,
            last_healthy_at = :lastHealthyAt, last_error_at = :lastErrorAt, last_error = :lastError
      where id = :id and organization_id = :organizationId`,
    { ...change, id, organizationId, at: history.at },
  )
  if (change.status !== number.status) {
    await rows(
      trx,
      `insert into number_history (organization_id, container_id, at, from_status, to_status, reason, source)
       values (:organizationId, :id, :at, :from, :to, :reason, :source)`,
      { ...history, id, organizationId, from: number.status, to: change.status },
    )
  }
  await openLane(trx, organizationId, id)
}

/** Opens or shuts a number's lane, as its row demands: messages leave only while it works and nothing is held. */
export async function openLane(trx: Db, organizationId: string, containerId: string): Promise<void> {
  await rows(
    trx,
    `update lanes l set open = n.status = 'WORKING' and n.held_at is null
       from numbers n
      where l.container_id = :containerId and l.organization_id = :organizationId and n.id = l.container_id
        and l.open <> (n.status = 'WORKING' and n.held_at is null)`,
    { organizationId, containerId },
  )
}

/** Ends the hold of a number's queue. */
export async function endHold(trx: Db, organizationId: string, containerId: string): Promise<void> {
  await rows(trx, 'update numbers set held_at = null where organization_id = :organizationId and id = :containerId', {
    organizationId,
    containerId,
  })
  await openLane(trx, organizationId, containerId)
}

/** Notes whether the organization wants the number to run. */
export async function writeWanted(
  trx: Db,
  organizationId: string,
  containerId: string,
  wanted: 'running' | 'stopped',
): Promise<void> {
  await rows(trx, 'update numbers set wanted = :wanted where id = :containerId and organization_id = :organizationId', {
    organizationId,
    containerId,
    wanted,
  })
}

/** Whether anything is queued for a number. */
export async function hasQueued(trx: Db, organizationId: string, containerId: string): Promise<boolean> {
  const found = await rows(
    trx,
    `select 1 as queued from messages
      where organization_id = :organizationId and container_id = :containerId and status = 'queued' limit 1`,
    { organizationId, containerId },
  )
  return found.length > 0
}
