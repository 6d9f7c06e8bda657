import { type DeliveryStatus, deliveryStatuses, type EventKind } from '@msgctl/contract'
import { type Db, firstRow, rows } from '#platform/db/db.ts'
import type { Row } from '#platform/db/tables.ts'

/** A delivery in a list. */
export interface ListedDelivery
  extends Pick<
    Row<'webhook_deliveries'>,
    'id' | 'eventId' | 'endpointId' | 'attempts' | 'lastStatus' | 'lastError' | 'createdAt' | 'replay'
  > {
  readonly url: string | null
  readonly event: EventKind
  readonly status: DeliveryStatus
  readonly nextAttemptAt: Date | null
  readonly lastResponse: string | null
  readonly lastDurationMs: number | null
  readonly deliveredAt: Date | null
  readonly sample: boolean
}

/** An attempt as it is stored. Early ones lack the duration. */
export interface StoredAttempt {
  readonly at: string
  readonly status: number | null
  readonly error: string | null
  readonly durationMs?: number
  readonly response?: string
}

/** A delivery with its attempts and what it posts. */
export interface WholeDelivery extends ListedDelivery {
  readonly attemptLog: readonly StoredAttempt[]
  readonly data: Record<string, unknown>
  readonly happenedAt: Date
}

/** SQL: the columns of a listed delivery, from a row `d` of deliveries, its event and its endpoint. */
const listedColumns = `
  d.id, d.event_id, d.endpoint_id, webhooks.url, events.event, d.status, d.attempts,
  case when d.status = 'pending' then d.next_attempt_at end as next_attempt_at, d.last_status, d.last_error,
  d.attempt_log -> -1 ->> 'response' as last_response,
  (d.attempt_log -> -1 ->> 'durationMs')::int as last_duration_ms, d.created_at,
  case when d.status = 'delivered' then d.finished_at end as delivered_at, d.replay, events.sample`
const joined = `join events on events.id = d.event_id
     left join webhooks on webhooks.organization_id = :organizationId and webhooks.id = d.endpoint_id`

/** The deliveries to list; null stands for any. */
export interface DeliveryFilter {
  readonly status: DeliveryStatus | null
  readonly event: EventKind | null
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
     select ${listedColumns} from page d ${joined}
     order by d.created_at desc, d.id desc`,
    { organizationId, limit, skip: (page - 1) * limit, event: filter.event, eventId: filter.eventId },
  )
}

/** Returns one delivery of the organization with its attempts, oldest first. */
export async function findDelivery(db: Db, organizationId: string, id: string): Promise<WholeDelivery | undefined> {
  return firstRow<WholeDelivery>(
    db,
    `select ${listedColumns}, d.attempt_log, events.data, events.created_at as happened_at
       from webhook_deliveries d ${joined} where d.organization_id = :organizationId and d.id = :id`,
    { organizationId, id },
  )
}

/** Counts the organization's deliveries up to `most`. */
export async function countDeliveries(
  db: Db,
  organizationId: string,
  { most, ...filter }: DeliveryFilter & { readonly most: number },
): Promise<number> {
  const [counted] = await rows<{ total: number }>(
    db,
    `select count(*) as total from (
       select from webhook_deliveries where ${matches(filter)} limit :most) few`,
    { organizationId, event: filter.event, eventId: filter.eventId, most },
  )
  return counted?.total ?? 0
}

/**
 * The condition of a filter. The kind of an event stands in the event. A frequent kind is looked up for each delivery
 * in the order of the list, a rare one is found by `events_kind`: the planner knows which is less.
 */
function matches({ status, event, eventId }: DeliveryFilter): string {
  return [
    'organization_id = :organizationId',
    ...(status === null ? [] : [hasStatus(status)]),
    ...(eventId === null ? [] : ['event_id = :eventId']),
    ...(event === null ? [] : [hasKind]),
  ].join(' and ')
}

const hasKind = `exists (
  select from events e where e.organization_id = :organizationId and e.event = :event and e.id = event_id)`

/** Selects the first rows of a list. The few deliveries of one event are found by its index. */
function selectListed(filter: DeliveryFilter): string {
  if (filter.eventId !== null) return `select * from webhook_deliveries where ${matches(filter)}`
  return statuses(filter.status)
    .map((status) => selectStatus({ ...filter, status }))
    .join(' union all ')
}

/** Selects the deliveries of one status, in the order of the index. The list of all merges the three. */
function selectStatus(filter: DeliveryFilter): string {
  return `(select * from webhook_deliveries where ${matches(filter)}
           order by created_at desc, id desc limit :limit::int + :skip::int)`
}

function statuses(status: DeliveryStatus | null): readonly DeliveryStatus[] {
  return status === null ? deliveryStatuses : [status]
}

/** The status is a literal, so that the planner knows which status it plans for. */
function hasStatus(status: DeliveryStatus): string {
  return { pending: `status = 'pending'`, delivered: `status = 'delivered'`, dropped: `status = 'dropped'` }[status]
}
