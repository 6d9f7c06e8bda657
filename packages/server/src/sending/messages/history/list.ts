import { type Contract, limits, type Output, type Parsed } from '@msgctl/contract'
import { requireOwnNumber } from '#events/own-number-store.ts'
import type { Db } from '#platform/db/db.ts'
import { invalidField } from '#platform/errors.ts'
import type { Services } from '#services.ts'
import { countByType } from './counter-store.ts'
import { countMatching } from './counts.ts'
import {
  countUpTo,
  type HistoryFilter,
  type HistoryPlace,
  isNarrow,
  listAfter,
  listByIds,
  listFrom,
} from './list-store.ts'
import { searchHistory } from './search.ts'
import type { MessageRow } from './store.ts'
import { messageView } from './view.ts'

const placeForm = /^(\d{4}-\d{2}-\d{2}T[\d:.]{8,12}Z) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/** Returns the opaque text of the last row of a page. */
function writeCursor(row: { readonly createdAt: Date; readonly id: string }): string {
  return Buffer.from(`${row.createdAt.toISOString()} ${row.id}`).toString('base64url')
}

/** Returns the place of a cursor, or null when the service did not write it. */
function readCursor(cursor: string): HistoryPlace | null {
  const [, createdAt, id] = placeForm.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (!createdAt || !id || !isInstant(createdAt)) return null
  return { createdAt, id }
}

/**
 * Returns whether a text is a time as the service writes it. JavaScript also accepts February 31, and a year 0 that
 * Postgres does not have.
 */
function isInstant(text: string): boolean {
  const at = new Date(text)
  return !Number.isNaN(at.getTime()) && at.getUTCFullYear() >= 1 && at.toISOString() === text
}

type ListRoute = Contract['messages']['list']
type Page = Omit<Output<ListRoute>, 'success'>
type PageRequest = HistoryFilter & {
  readonly limit: number
  readonly offset: number
  readonly place: HistoryPlace | null
}
type Totals = Pick<Page, 'total' | 'totalIsExact'>
/** Rows of a page, one more than requested if there are more, and where a search ended before the oldest message. */
interface Found {
  readonly totals: Totals
  readonly found: readonly MessageRow[]
  readonly end: HistoryPlace | null
}

/**
 * Returns one page of an organization's messages, newest first (specification, "GET /messages"). Throws
 * VALIDATION_ERROR for an invalid cursor, and for a page of a search or filter beyond the rows that it counts.
 */
export async function listMessages(
  services: Pick<Services, 'db'>,
  organizationId: string,
  query: Parsed<ListRoute>['query'],
): Promise<Page> {
  const { page, limit, cursor } = query
  const place = cursor === undefined ? null : readCursor(cursor)
  if (cursor !== undefined && !place) throw invalidField('cursor', 'must be a nextCursor of this list')
  await requireOwnNumber(services.db, organizationId, query.containerId)
  const filter = toFilter(organizationId, query)
  const offset = place ? 0 : (page - 1) * limit
  const isBounded = query.search || isNarrow(filter)
  const most = isBounded && !place ? requireCounted(offset, limit) : limit
  const request = { ...filter, limit: most, offset, place }
  const { totals, found, end } = query.search
    ? await searched(services, request, query.search)
    : await listed(services, request)
  const shown = found.slice(0, most)
  const last = found.length > most ? shown.at(-1) : end
  const nextCursor = last ? writeCursor({ ...last, createdAt: new Date(last.createdAt) }) : null
  return { ...totals, page, limit, messages: shown.map(messageView), nextCursor }
}

function toFilter(organizationId: string, query: Parsed<ListRoute>['query']): HistoryFilter {
  return {
    organizationId,
    type: query.type ?? null,
    status: query.status ?? (query.errorCode === undefined ? null : 'failed'),
    containerId: query.containerId ?? null,
    campaignId: query.campaignId ?? null,
    clientReference: query.clientReference ?? null,
    reminderId: query.reminderId ?? null,
    recipient: query.recipient ?? null,
    errorCode: query.errorCode ?? null,
    since: query.since ?? null,
    until: query.until ?? null,
  }
}

const counted = limits.searchTotal

/** Returns how many rows the page of a search or filter that begins at `offset` has at most: those that it counts. */
function requireCounted(offset: number, limit: number): number {
  if (offset < counted) return Math.min(limit, counted - offset)
  throw invalidField(
    'page',
    `must not lead beyond row ${counted} of a search or filter; follow nextCursor to read further`,
  )
}

/** Reads one row more than requested, to know whether there is a next page. */
async function listed({ db }: Pick<Services, 'db'>, request: PageRequest): Promise<Found> {
  const { place, offset } = request
  const limit = request.limit + 1
  const [totals, found] = await Promise.all([
    isNarrow(request) ? countNarrow(db, request) : countWide(db, request),
    place ? listAfter(db, request, { limit, place }) : listFrom(db, request, { limit, offset }),
  ])
  return { totals, found, end: null }
}

async function countWide(db: Db, request: PageRequest): Promise<Totals> {
  return { total: countMatching(await countByType(db, request.organizationId), request) }
}

async function countNarrow(db: Db, request: PageRequest): Promise<Totals> {
  return boundedTotal(await countUpTo(db, request, counted + 1))
}

function boundedTotal(found: number): Totals {
  return found > counted ? { total: counted, totalIsExact: false as const } : { total: found }
}

async function searched({ db }: Pick<Services, 'db'>, request: PageRequest, text: string): Promise<Found> {
  const { place, limit, offset } = request
  const all = await searchHistory(db, request, { text, place: null, limit: counted + 1 })
  const rest = place
    ? await searchHistory(db, request, { text, place, limit: limit + 1, isSlow: all.isSlow })
    : { ids: all.ids.slice(offset), end: all.end }
  const found = await listByIds(db, request.organizationId, rest.ids.slice(0, limit + 1))
  const totals = boundedTotal(all.ids.length)
  return { totals: all.end ? { ...totals, totalIsExact: false } : totals, found, end: rest.end }
}
