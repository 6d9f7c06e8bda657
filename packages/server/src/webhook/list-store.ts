import { type DeliveryStatus, deliveryStatuses, type EventKind } from '@msgctl/contract'
import { type Db, rows } from '../db/db.ts'

/** A delivery in a list. */
export interface ListedDelivery {
  readonly id: string
  readonly eventId: string
  readonly endpointId: string
  readonly url: string | null
  readonly event: EventKind
  readonly status: DeliveryStatus
  readonly attempts: number
  readonly nextAttemptAt: Date | null
  readonly lastStatus: number | null
  readonly lastError: string | null
  readonly lastResponse: string | null
  readonly lastDurationMs: number | null
  readonly createdAt: Date
  readonly deliveredAt: Date | null
  readonly replay: boolean
  readonly sample: boolean
}

/** The deliveries to list; null stands for any. */
export interface DeliveryFilter {
  readonly status: DeliveryStatus | null
  readonly eventId: string | null
}

/** Returns a page of the organization's deliveries, latest first. `page` counts from 1. */
export async function listDeliveries(
  db: Db,
  organizationId: string,
  { page, limit, ...filter }: DeliveryFilter & { readonly page: number; readonly limit: number },
): Promise<ListedDelivery[]> {
  return rows<ListedDelivery>(
    db,
    `with page as (
       select * from (${selectListed(filter)}) listed
       order by created_at desc, id desc limit :limit offset :skip
     )
     select page.id, event_id as "eventId", endpoint_id as "endpointId", webhooks.url, events.event, status, attempts,
            case when status = 'pending' then next_attempt_at end as "nextAttemptAt",
            last_status as "lastStatus", last_error as "lastError",
            attempt_log -> -1 ->> 'response' as "lastResponse",
            (attempt_log -> -1 ->> 'durationMs')::int as "lastDurationMs", page.created_at as "createdAt",
            case when status = 'delivered' then finished_at end as "deliveredAt", replay, events.sample
     from page join events on events.id = event_id
     left join webhooks on webhooks.organization_id = :organizationId and webhooks.id = endpoint_id
     order by page.created_at desc, page.id desc`,
    { organizationId, limit, skip: (page - 1) * limit, eventId: filter.eventId },
  )
}

/** Counts the organization's deliveries up to `most`. */
export async function countDeliveries(
  db: Db,
  organizationId: string,
  { status, eventId, most }: DeliveryFilter & { readonly most: number },
): Promise<number> {
  const [counted] = await rows<{ total: number }>(
    db,
    `select count(*) as total from (
       select from webhook_deliveries where organization_id = :organizationId
         and ${status === null ? 'true' : hasStatus(status)} and ${eventId === null ? 'true' : ofEvent} limit :most) few`,
    { organizationId, eventId, most },
  )
  return counted?.total ?? 0
}

const ofEvent = 'event_id = :eventId'

/** Selects the first rows of a list. The few deliveries of one event are found by its index. */
function selectListed({ status, eventId }: DeliveryFilter): string {
  if (eventId === null) return statuses(status).map(selectStatus).join(' union all ')
  const condition = status === null ? 'true' : hasStatus(status)
  return `select * from webhook_deliveries where organization_id = :organizationId and ${ofEvent} and ${condition}`
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
