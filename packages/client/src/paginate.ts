import type { FlatInput } from './address.ts'
import { Seen } from './calls/seen.ts'

/** One page as a list route returns it: exactly one of its values is the list. */
export type Page = Readonly<Record<string, unknown>>

/** The number of recent rows that are remembered to drop repeated ones. */
const rememberedRows = 100_000

function findRows(page: Page): readonly unknown[] {
  return Object.values(page).find(Array.isArray) ?? []
}

/** Returns the identity of a row: its id, its phone in lists of recipients, or the whole row where it has neither. */
function rowIdentity(row: unknown): string {
  const { id, phone } = (row ?? {}) as { id?: unknown; phone?: unknown }
  return String(id ?? phone ?? JSON.stringify(row))
}

/** The input for the next page, or undefined after the last. */
type Next = FlatInput | undefined

function byCursor(page: Page, input: FlatInput, parameter: string): Next {
  const cursor = page.nextCursor
  const more = typeof cursor === 'string' && cursor !== '' && page.hasMore !== false && cursor !== input[parameter]
  return more ? { ...input, [parameter]: cursor } : undefined
}

function byNumber(page: Page, input: FlatInput): Next {
  const rows = findRows(page).length
  const limit = typeof page.limit === 'number' ? page.limit : rows
  const at = typeof page.page === 'number' ? page.page : 1
  const more = rows > 0 && typeof page.total === 'number' && at * limit < page.total
  return more ? { ...input, page: at + 1 } : undefined
}

/**
 * Yields every row of every page. Follows the cursor where the response has one, which does not shift, and the page
 * number elsewhere. `cursorParameter` is the input field for the cursor.
 */
export async function* paginate(
  fetchPage: (input: FlatInput) => Promise<Page>,
  input: FlatInput,
  cursorParameter: string,
): AsyncGenerator<unknown, void, undefined> {
  // Rows move to a later page when newer ones arrive between two requests.
  const seen = new Seen(rememberedRows)
  let next: Next = input
  while (next) {
    const page = await fetchPage(next)
    for (const row of findRows(page)) if (seen.add(rowIdentity(row))) yield row
    next = 'nextCursor' in page ? byCursor(page, next, cursorParameter) : byNumber(page, next)
  }
}

/** Adds `toArray` to rows. It stops reading after `limit` rows. */
export function withToArray(rows: AsyncGenerator<unknown, void, undefined>) {
  return Object.assign(rows, {
    async toArray(limit = 10_000): Promise<unknown[]> {
      const list: unknown[] = []
      if (limit > 0) for await (const row of rows) if (list.push(row) >= limit) break
      return list
    },
  })
}
