import type { FlatInput } from './address.ts'

/** One page, as a list route answers it: exactly one of its values is the list. */
export type Page = Readonly<Record<string, unknown>>

/** How many rows are remembered to tell a repeated one. */
const rememberedRows = 100_000

function rowsOf(page: Page): readonly unknown[] {
  return Object.values(page).find(Array.isArray) ?? []
}

/** What tells a row from others: its id, the phone in lists of people, or all of it in a history without ids. */
function identityOf(row: unknown): string {
  const { id, phone } = (row ?? {}) as { id?: unknown; phone?: unknown }
  return String(id ?? phone ?? JSON.stringify(row))
}

/** Drops rows already seen: rows move to a later page when newer ones arrive between two pages. */
class Seen {
  readonly #ids = new Set<string>()

  isNew(row: unknown): boolean {
    const id = identityOf(row)
    if (this.#ids.has(id)) return false
    this.#ids.add(id)
    // A set keeps the order of insertion, so the first is the oldest.
    if (this.#ids.size > rememberedRows) for (const oldest of this.#ids.values()) return this.#ids.delete(oldest)
    return true
  }
}

/** The input for the next page, or undefined after the last. */
type Next = FlatInput | undefined

function byCursor(page: Page, input: FlatInput, parameter: string): Next {
  const cursor = page.nextCursor
  const more = typeof cursor === 'string' && cursor !== '' && page.hasMore !== false && cursor !== input[parameter]
  return more ? { ...input, [parameter]: cursor } : undefined
}

function byNumber(page: Page, input: FlatInput): Next {
  const rows = rowsOf(page).length
  const limit = typeof page.limit === 'number' ? page.limit : rows
  const at = typeof page.page === 'number' ? page.page : 1
  const more = rows > 0 && typeof page.total === 'number' && at * limit < page.total
  return more ? { ...input, page: at + 1 } : undefined
}

/**
 * Every row of every page. Pages are followed by their cursor where the answer has one, which does not shift, and by
 * number elsewhere. `cursorParameter` is where the next call takes the cursor.
 */
export async function* paginate(
  fetchPage: (input: FlatInput) => Promise<Page>,
  input: FlatInput,
  cursorParameter: string,
): AsyncGenerator<unknown, void, undefined> {
  const seen = new Seen()
  let next: Next = input
  while (next) {
    const page = await fetchPage(next)
    for (const row of rowsOf(page)) if (seen.isNew(row)) yield row
    next = 'nextCursor' in page ? byCursor(page, next, cursorParameter) : byNumber(page, next)
  }
}
