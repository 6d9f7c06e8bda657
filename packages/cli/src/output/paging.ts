import type { Command } from 'commander'
import { usageFailure } from '../errors/exit-codes.ts'
import { wholeFrom } from '../input/duration.ts'

/** The options of a list that has pages. */
export interface ListOptions {
  readonly limit?: string
  readonly page?: string
  readonly all?: true
}

/** The most rows the service puts on one page. */
const largestPage = 100
const defaultRows = 50
const maxRows = 1_000_000

/** The two ways of the client to read a list. */
export interface ListSource {
  all(pageSize: number): AsyncIterable<unknown>
  page(page: number, limit: number): Promise<readonly unknown[]>
}

/** Adds --limit, --page and --all. */
export function listOptions(command: Command): Command {
  return command
    .option(
      '--limit <rows>',
      `rows at most (default ${defaultRows}); more than ${largestPage} are fetched page by page`,
    )
    .option('--page <number>', 'one page, of --limit rows')
    .option('--all', 'every row')
}

/** The first `count` of `rows`; the rest is not fetched. */
export async function* take<T>(rows: AsyncIterable<T>, count: number): AsyncGenerator<T, void, undefined> {
  let left = count
  for await (const row of rows) {
    yield row
    left -= 1
    if (left === 0) return
  }
}

async function* onePage(source: ListSource, page: number, limit: number): AsyncGenerator<unknown, void, undefined> {
  yield* await source.page(page, limit)
}

/** The rows that the options ask for. Throws a usage failure when they contradict each other. */
export function listRows(options: ListOptions, source: ListSource): AsyncIterable<unknown> {
  const { limit, page, all } = options
  if (all && (limit !== undefined || page !== undefined)) throw usageFailure('--all goes without --limit and --page.')
  if (all) return source.all(largestPage)
  if (page !== undefined) {
    const rows = wholeFrom(limit ?? String(defaultRows), '--limit with --page', 1, largestPage)
    return onePage(source, wholeFrom(page, '--page', 1, maxRows), rows)
  }
  const rows = wholeFrom(limit ?? String(defaultRows), '--limit', 1, maxRows)
  return take(source.all(Math.min(rows, largestPage)), rows)
}
