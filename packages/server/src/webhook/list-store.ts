import { type DeliveryStatus, deliveryStatuses, type EventKind } from '@msgctl/contract'
import { type Db, rows } from '../db/db.ts'

/** A delivery in a list. */
export interface ListedDelivery {
  readonly id: string
  readonly eventId: string
  readonly event: EventKind
  readonly status: DeliveryStatus
  readonly attempts: number
  readonly nextAttemptAt: Date | null
  readonly lastStatus: number | null
  readonly lastError: string | null
  readonly createdAt: Date
  readonly deliveredAt: Date | null
  readonly replay: boolean
  readonly sample: boolean
}

/** Returns a page of the organization's deliveries, latest first, of one status or of all. `page` counts from 1. */
export async function listDeliveries(
  db: Db,
  organizationId: string,
  { status, page, limit }: { status: DeliveryStatus | null; page: number; limit: number },
): Promise<ListedDelivery[]> {
  return rows<ListedDelivery>(
    db,
    `with page as (
       select * from (${statuses(status).map(selectStatus).join(' union all ')}) listed
       order by created_at desc, id desc limit :limit offset :skip
     )
     select page.id, event_id as "eventId", events.event, status, attempts,
            case when status = 'pending' then next_attempt_at end as "nextAttemptAt",
            last_status as "lastStatus", last_error as "lastError", page.created_at as "createdAt",
            case when status = 'delivered' then finished_at end as "deliveredAt", replay, events.sample
     from page join events on events.id = event_id
     order by page.created_at desc, page.id desc`,
    { organizationId, limit, skip: (page - 1) * limit },
  )
}

/** Counts the organization's deliveries, of one status or of all, up to `most`. */
export async function countDeliveries(
  db: Db,
  organizationId: string,
  { status, most }: { status: DeliveryStatus | null; most: number },
): Promise<number> {
  const [counted] = await rows<{ total: number }>(
    db,
    `select count(*) as total from (
       select from webhook_deliveries where organization_id = :organizationId
         and ${status === null ? 'true' : hasStatus(status)} limit :most) few`,
    { organizationId, most },
  )
  return counted?.total ?? 0
}

/** Selects the deliveries of one status, in the order of the index. The list of all merges the three. */
function selectStatus(status: DeliveryStatus): string {
  return `(select * from webhook_deliveries where organization_id = :organizationId and ${hasStatus(status)}
           order by created_at desc, id desc limit :limit::int + :skip::int)`
}

function statuses(status: DeliveryStatus | null): readonly DeliveryStatus[] {
  return status === null ? deliveryStatuses : [status]
}

/** The status is a literal, so that the planner knows which status it plans for. */
function hasStatus(status: DeliveryStatus): string {
  return { pending: `status = 'pending'`, delivered: `status = 'delivered'`, dropped: `status = 'dropped'` }[status]
}
