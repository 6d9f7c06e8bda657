import type { CallOptions } from '@msgctl/client'
import type { Command } from 'commander'
import type { Context } from '../context.ts'
import { usageFailure } from '../errors/exit-codes.ts'
import { wholeFrom } from '../input/duration.ts'

/** The options of a paged list. */
export interface ListOptions {
  readonly limit?: string
  readonly page?: string
  readonly all?: true
}

/** The maximum page size of the service. */
const largestPage = 100
const defaultRows = 50
const maxRows = 1_000_000

/** A paged call of the client: `client.messages.list`. */
interface PagedCall<I> {
  (input: I, options: CallOptions): Promise<object>
  all(input: I, options: CallOptions): AsyncIterable<unknown>
}

/** Adds --limit, --page and --all. */
export function listOptions(command: Command): Command {
  return command
    .option('--limit <rows>', `maximum number of rows (default: ${defaultRows})`)
    .option('--page <number>', 'show only this page, of --limit rows')
    .option('--all', 'show all rows')
}

/** Yields the first `count` rows and stops fetching. `onCut` is called when there are more. */
export async function* take<T>(
  rows: AsyncIterable<T>,
  count: number,
  onCut?: () => void,
): AsyncGenerator<T, void, undefined> {
  let left = count
  for await (const row of rows) {
    if (left === 0) {
      onCut?.()
      return
    }
    yield row
    left -= 1
    if (left === 0 && !onCut) return
  }
}

/** Reports on stderr that a list is not whole: a script that reads it would not notice. */
export function noteCut({ warn }: Pick<Context, 'warn'>, shown: number, which = 'first'): () => void {
  return () => warn(`These are the ${which} ${shown}. --all shows all of them, --limit a number of them.`)
}

/**
 * Notes on stderr that a list without an own --limit may not be whole: a response has no more than `usual` rows, and
 * does not say how many there are. `max` is the largest --limit.
 */
export function noteFull(
  { warn }: Pick<Context, 'warn'>,
  shown: number,
  {
    limit,
    usual,
    max,
    what,
  }: {
    readonly limit: string | undefined
    readonly usual: number
    readonly max: number
    readonly what: string
  },
): void {
  if (limit !== undefined || shown < usual) return
  warn(`These are the first ${usual} ${what}; there may be more. --limit shows up to ${max}.`)
}

/** Yields the rows of one page: exactly one of its values is a list. */
async function* onePage(page: Promise<object>): AsyncGenerator<unknown, void, undefined> {
  yield* Object.values(await page).find(Array.isArray) ?? []
}

/**
 * Returns the rows that the options select, and notes when a list without options is not whole. Throws a usage error
 * when the options contradict each other.
 */
export function listRows<I>(
  context: Pick<Context, 'warn' | 'host'>,
  { limit, page, all }: ListOptions,
  call: PagedCall<I>,
  input: NoInfer<Omit<I, 'page' | 'limit'>>,
): AsyncIterable<unknown> {
  const options = { signal: context.host.signal }
  const rowsWith = (size: number) => call.all({ ...input, limit: size } as I, options)
  if (all && (limit !== undefined || page !== undefined))
    throw usageFailure('--all cannot be combined with --limit or --page.')
  if (all) return rowsWith(largestPage)
  const shown = limit ?? String(defaultRows)
  if (page !== undefined) {
    const size = wholeFrom(shown, '--limit with --page', 1, largestPage)
    return onePage(call({ ...input, page: wholeFrom(page, '--page', 1, maxRows), limit: size } as I, options))
  }
  const rows = wholeFrom(shown, '--limit', 1, maxRows)
  const onCut = limit === undefined ? noteCut(context, rows) : undefined
  // One row more than is shown says whether there are more.
  return take(rowsWith(Math.min(onCut ? rows + 1 : rows, largestPage)), rows, onCut)
}
