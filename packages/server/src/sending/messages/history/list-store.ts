import {
  type MessageErrorCode,
  type MessageStatus,
  type MessageType,
  messageStatuses,
  messageTypes,
} from '@msgctl/contract'
import { type Db, rows } from '#platform/db/db.ts'
import { hourRows, statusCount } from './counter-store.ts'
import { type ConditionReads, listSource } from './list-source.ts'
import { type MessageRow, messageColumns } from './store.ts'

/** Where a page begins: after this row, in the order newest first. */
export interface HistoryPlace {
  readonly createdAt: string
  readonly id: string
}

/** The messages to return; null stands for any. */
export interface HistoryFilter {
  readonly organizationId: string
  readonly type: MessageType | null
  readonly status: MessageStatus | null
  readonly containerId: string | null
  readonly campaignId: string | null
  readonly clientReference: string | null
  readonly reminderId: string | null
  /** Digits or a hidden id. */
  readonly recipient: string | null
  /** With it, `status` is failed: only these have one. */
  readonly errorCode: MessageErrorCode | null
  /** ISO 8601 UTC: messages accepted from this time on. */
  readonly since: string | null
  /** ISO 8601 UTC: messages accepted before this time. */
  readonly until: string | null
}

/** Returns the filter that every message of an organization passes. */
export function everyMessage(organizationId: string): HistoryFilter {
  const ids = { containerId: null, campaignId: null, reminderId: null, clientReference: null, recipient: null }
  return { organizationId, type: null, status: null, errorCode: null, since: null, until: null, ...ids }
}

const narrowings = {
  containerId: 'm.container_id = :containerId::uuid',
  campaignId: 'm.campaign_id = :campaignId::uuid',
  clientReference: 'm.client_reference = :clientReference',
  reminderId: 'm.reminder_id = :reminderId::uuid',
  recipient: 'm.recipient = :recipient',
  errorCode: 'm.error_code = :errorCode',
  since: 'm.created_at >= :since::timestamptz',
  until: 'm.created_at < :until::timestamptz',
} as const
const narrowingFields = Object.keys(narrowings) as (keyof typeof narrowings)[]

/** Returns whether a filter has more than type and status, for which the messages are not counted as they come. */
export function isNarrow(filter: HistoryFilter): boolean {
  return narrowingFields.some((field) => filter[field] !== null)
}

/** Returns SQL of the conditions beside type and status, only those that are given, so that the planner sees them. */
export function narrowingConditions(filter: HistoryFilter): string {
  return narrowingFields.map((field) => (filter[field] === null ? '' : ` and ${narrowings[field]}`)).join('')
}

/** From this offset on, the counts by hour lead to a page: reading each row before it would take longer. */
const farOffset = 1000

/**
 * Returns SQL of the keys of the first rows of a filter, newest first. Each type and status has its rows in the order
 * of the index `messages_filtered`. A filter that passes several is merged from their first rows, `most` of each.
 * `reads` says which columns the condition and the further `columns` name.
 */
export function selectKeys(
  filter: HistoryFilter,
  condition: string,
  most: string,
  { reads, columns = [] }: { readonly reads: ConditionReads; readonly columns?: readonly string[] },
): string {
  const { type, status } = filter
  const keys = `select ${['m.id', 'm.created_at', ...columns].join(', ')} from ${listSource(filter, reads)} m
    where m.organization_id = :organizationId and ${condition}${narrowingConditions(filter)}`
  if (type === null && status === null) return keys
  const types = messageTypes.filter((t) => type === null || t === type)
  const statuses = messageStatuses.filter((s) => status === null || s === status)
  return types
    .flatMap((t) => statuses.map((s) => `${keys} and m.type = '${t}' and m.status = '${s}'`))
    .map((branch) => `(${branch} order by m.created_at desc, m.id desc limit ${most})`)
    .join('\n union all ')
}

function selectPage(filter: HistoryFilter, condition: string, offset: string): string {
  return `
    select ${messageColumns}
      from (select id, created_at
          from (${selectKeys(filter, condition, `:limit::bigint + ${offset}`, { reads: 'place' })}) keys
             order by created_at desc, id desc limit :limit offset ${offset}) page
      join messages m on m.id = page.id
     order by page.created_at desc, page.id desc`
}

/** Returns one page of messages, newest first: those after `place`. */
export async function listAfter(
  db: Db,
  filter: HistoryFilter,
  page: { readonly limit: number; readonly place: HistoryPlace },
): Promise<MessageRow[]> {
  const after = '(m.created_at, m.id) < (:createdAt::timestamptz, :id::uuid)'
  return rows<MessageRow>(db, selectPage(filter, after, '0'), { ...filter, limit: page.limit, ...page.place })
}

/**
 * Returns one page of messages, newest first: those from `offset` on. A far page is found through the counts by hour:
 * whole hours are skipped, and only rows of the hour in which the page begins are read.
 */
export async function listFrom(
  db: Db,
  filter: HistoryFilter,
  page: { readonly limit: number; readonly offset: number },
): Promise<MessageRow[]> {
  if (page.offset < farOffset)
    return rows<MessageRow>(db, selectPage(filter, 'true', ':offset::bigint'), { ...filter, ...page })
  const passed = `
    with hours as (
      select hour, sum(${statusCount(filter.status)})::bigint as count from (${hourRows}) counted
       where :type::text is null or type = :type group by hour
    ), first as (
      select hour + interval '1 hour' as until, passed from (
        select hour, count, sum(count) over (order by hour desc)::bigint - count as passed from hours) h
       where passed <= :offset and count > 0 order by passed desc limit 1
    )`
  const from = selectPage(
    filter,
    'm.created_at < (select until from first)',
    '(select :offset::bigint - passed from first)',
  )
  return rows<MessageRow>(db, passed + from, { ...filter, ...page })
}

/** Counts the messages of a filter up to `most`. */
export async function countUpTo(db: Db, filter: HistoryFilter, most: number): Promise<number> {
  const [counted] = await rows<{ count: number }>(
    db,
    `select count(*) as count
      from (select from (${selectKeys(filter, 'true', ':most::bigint', { reads: 'place' })}) keys limit :most) few`,
    { ...filter, most },
  )
  return counted?.count ?? 0
}

/** Returns messages of the organization by their ids, newest first. */
export async function listByIds(db: Db, organizationId: string, ids: readonly string[]): Promise<MessageRow[]> {
  return rows<MessageRow>(
    db,
    `select ${messageColumns} from messages m
      where m.organization_id = :organizationId and m.id = any(:ids::uuid[])
      order by m.created_at desc, m.id desc`,
    { organizationId, ids },
  )
}
