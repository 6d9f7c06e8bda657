import { type Contract, limits, type Output, type Parsed } from '@msgctl/contract'
import { invalidField } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { countByType } from './counter-store.ts'
import { countMatching } from './counts.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { type HistoryFilter, type HistoryPlace, listAfter, listByIds, listFrom } from './list-store.ts'
import { searchHistory } from './search.ts'
import type { MessageRow } from './store.ts'
import { messageView } from './view.ts'

type ListRoute = Contract['messages']['list']
type Page = Omit<Output<ListRoute>, 'success'>
type PageRequest = HistoryFilter & {
  readonly limit: number
  readonly offset: number
  readonly place: HistoryPlace | null
}
type Totals = Pick<Page, 'total' | 'totalIsExact'>

/**
 * Returns one page of an organization's messages, newest first (specification, "GET /messages"). Throws
 * VALIDATION_ERROR for an invalid cursor, and for a page of a search beyond the rows that a search counts.
 */
export async function listMessages(
  services: Pick<Services, 'db'>,
  organizationId: string,
  query: Parsed<ListRoute>['query'],
): Promise<Page> {
  const { page, limit, cursor } = query
  const place = cursor === undefined ? null : readCursor(cursor)
  if (cursor !== undefined && !place) throw invalidField('cursor', 'must be a nextCursor of this list')
  const filter = { organizationId, type: query.type ?? null, status: query.status ?? null }
  const offset = place ? 0 : (page - 1) * limit
  const most = query.search && !place ? requireCounted(offset, limit) : limit
  const request = { ...filter, limit: most, offset, place }
  const [totals, found] = query.search
    ? await searched(services, request, query.search)
    : await listed(services, request)
  const shown = found.slice(0, most)
  const last = shown.at(-1)
  const nextCursor = found.length > most && last ? writeCursor(last) : null
  return { ...totals, page, limit, messages: shown.map(messageView), nextCursor }
}

const counted = limits.searchTotal

/** Returns how many rows the page of a search that begins at `offset` has at most: those that a search counts. */
function requireCounted(offset: number, limit: number): number {
  if (offset < counted) return Math.min(limit, counted - offset)
  throw invalidField('page', `must not lead beyond row ${counted} of a search; follow nextCursor to read further`)
}

/** Reads one row more than requested, to know whether there is a next page. */
async function listed({ db }: Pick<Services, 'db'>, request: PageRequest): Promise<[Totals, MessageRow[]]> {
  const { place, offset } = request
  const limit = request.limit + 1
  const [counts, found] = await Promise.all([
    countByType(db, request.organizationId),
    place ? listAfter(db, request, { limit, place }) : listFrom(db, request, { limit, offset }),
  ])
  return [{ total: countMatching(counts, request) }, found]
}

async function searched(
  { db }: Pick<Services, 'db'>,
  request: PageRequest,
  text: string,
): Promise<[Totals, MessageRow[]]> {
  const { place, limit, offset } = request
  const ids = await searchHistory(db, request, { text, place: null, limit: counted + 1 })
  const pageIds = place
    ? await searchHistory(db, request, { text, place, limit: limit + 1 })
    : ids.slice(offset, offset + limit + 1)
  const totals = ids.length > counted ? { total: counted, totalIsExact: false as const } : { total: ids.length }
  return [totals, await listByIds(db, request.organizationId, pageIds)]
}
