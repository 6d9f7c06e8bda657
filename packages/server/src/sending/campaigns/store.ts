import type { CampaignStatus } from '@msgctl/contract'
import { type Db, firstRow, rows, serviceNow } from '#platform/db/db.ts'
import type { Row } from '#platform/db/tables.ts'
import { deleteCampaignMessages } from '#sending/messages/queue/campaign-store.ts'

/** A row of a campaign. */
export interface CampaignRow
  extends Omit<Row<'campaigns'>, 'status' | 'pauseReason' | 'startTriedAt' | 'startFailingSince'> {
  /** The number it is bound to; null when the service chooses. */
  readonly containerId: string | null
  readonly status: CampaignStatus
  /** The reference that its messages carry. */
  readonly clientReference: string | null
  /** Why the service paused it; null when a person did, and in every other state. */
  readonly pauseReason: 'off_network' | null
}

/** A campaign with the counts of its messages by status. */
export type CountedCampaign = CampaignRow & {
  readonly sent: number
  readonly delivered: number
  readonly failed: number
  readonly read: number
}

const columns = `
  c.id, c.organization_id, c.container_id, c.name, c.template, c.status, c.total, c.scheduled_at, c.start_error,
  c.created_at, c.any_hour, c.client_reference,
  case when c.status = 'paused' then c.pause_reason end as pause_reason, c.started_at, c.completed_at`

/** The reader of campaigns: an organization, or the key of one of its numbers. */
export interface CampaignReader {
  readonly organizationId: string
  /** The number of a number's key, else null. */
  readonly containerId: string | null
}

/**
 * Returns the campaigns of an organization, oldest first, or one of them, with their counts. A number's key reads those
 * of its number and drafts that are bound to no number.
 */
export async function listCampaigns(
  db: Db,
  { organizationId, containerId }: CampaignReader,
  only: string | null = null,
): Promise<CountedCampaign[]> {
  return rows<CountedCampaign>(
    db,
    `select ${columns}, s.sent, s.delivered, s.failed, s.read
       from campaigns c cross join lateral (
         select coalesce(sum(sent), 0)::int8 as sent, coalesce(sum(delivered), 0)::int8 as delivered,
                coalesce(sum(failed), 0)::int8 as failed, coalesce(sum(read), 0)::int8 as read
           from (select sent, delivered, failed, read from campaign_counts k where k.campaign_id = c.id
                 union all
                 select sent, delivered, failed, read from campaign_count_changes k where k.campaign_id = c.id) k) s
      where c.organization_id = :organizationId and (:only::uuid is null or c.id = :only)
        and (:containerId::uuid is null or c.container_id = :containerId
             or (c.container_id is null and c.status = 'draft'))
      order by c.created_at, c.id`,
    { organizationId, containerId, only },
  )
}

/** Locks one campaign until the transaction ends. */
export async function lockCampaign(trx: Db, organizationId: string, id: string): Promise<CampaignRow | undefined> {
  return firstRow<CampaignRow>(
    trx,
    `select ${columns} from campaigns c where c.organization_id = :organizationId and c.id = :id for update`,
    { organizationId, id },
  )
}

/** Stores a new campaign, without its recipients. */
export async function insertCampaign(
  trx: Db,
  campaign: Pick<
    CampaignRow,
    'id' | 'organizationId' | 'containerId' | 'name' | 'template' | 'total' | 'anyHour' | 'clientReference'
  > & { readonly scheduledAt: string | null },
): Promise<void> {
  await trx('campaigns').insert({
    id: campaign.id,
    organizationId: campaign.organizationId,
    containerId: campaign.containerId,
    name: campaign.name,
    template: campaign.template,
    status: campaign.scheduledAt === null ? 'draft' : 'scheduled',
    total: campaign.total,
    anyHour: campaign.anyHour,
    clientReference: campaign.clientReference,
    scheduledAt: campaign.scheduledAt === null ? null : new Date(campaign.scheduledAt),
    createdAt: serviceNow(trx),
  })
}

/** A change to a campaign. Null keeps a value; `schedule` is true when `scheduledAt` is set. */
export interface CampaignChange {
  readonly name: string | null
  readonly template: string | null
  readonly total: number | null
  readonly schedule: boolean
  readonly scheduledAt: string | null
  readonly status: CampaignStatus
  readonly anyHour: boolean | null
  /** Undefined keeps the reference. */
  readonly clientReference: string | null | undefined
  /** The number to bind the campaign to; null keeps the present one. */
  readonly containerId: string | null
}

/** Changes a locked campaign. */
export async function updateCampaign(
  trx: Db,
  organizationId: string,
  id: string,
  change: CampaignChange,
): Promise<void> {
  await rows(
    trx,
    `update campaigns
        set name = coalesce(:name, name), template = coalesce(:template, template), total = coalesce(:total, total),
            any_hour = coalesce(:anyHour, any_hour),
            scheduled_at = case when :schedule then :scheduledAt::timestamptz else scheduled_at end,
            start_error = case when :schedule then null else start_error end,
            start_failing_since = case when :schedule then null else start_failing_since end,
            start_tried_at = case when :schedule then null else start_tried_at end, status = :status,
            client_reference = case when :setReference then :clientReference else client_reference end,
            container_id = coalesce(container_id, :containerId)
      where organization_id = :organizationId and id = :id`,
    {
      organizationId,
      id,
      ...change,
      setReference: change.clientReference !== undefined,
      clientReference: change.clientReference ?? null,
    },
  )
}

/** Moves a locked campaign to a state. */
export async function setStatus(trx: Db, organizationId: string, id: string, status: CampaignStatus): Promise<void> {
  await trx('campaigns').where({ organizationId, id }).update({ status })
}

/** Pauses a locked campaign for a reason of the service. */
export async function setPaused(
  trx: Db,
  organizationId: string,
  id: string,
  pauseReason: NonNullable<CampaignRow['pauseReason']>,
): Promise<void> {
  const change = { status: 'paused', pauseReason }
  await trx('campaigns').where({ organizationId, id }).update(change)
}

/** Moves a locked campaign to the state after its start and binds it to a number. */
export async function setStarted(
  trx: Db,
  organizationId: string,
  id: string,
  { status, containerId }: { readonly status: CampaignStatus; readonly containerId: string | null },
): Promise<void> {
  await rows(
    trx,
    `update campaigns
        set status = :status, container_id = :containerId, start_error = null, pause_reason = null,
            started_at = coalesce(started_at, (select service_now()))
      where organization_id = :organizationId and id = :id`,
    { organizationId, id, status, containerId },
  )
}

/** Deletes a campaign with its recipients and its message history. */
export async function deleteCampaign(trx: Db, organizationId: string, id: string): Promise<void> {
  await deleteCampaignMessages(trx, organizationId, id)
  await trx('campaigns').where({ organizationId, id }).delete()
}

/** Counts the recipients of campaigns of the organization that were never started. */
export async function countUnstarted(trx: Db, organizationId: string): Promise<number> {
  const [row] = await rows<{ count: number }>(
    trx,
    `select coalesce(sum(total), 0)::int8 as count from campaigns
      where organization_id = :organizationId and started_at is null`,
    { organizationId },
  )
  return row?.count ?? 0
}
