import { Option } from 'commander'
import type { Context } from '../../context.ts'
import { usageFailure } from '../../errors/exit-codes.ts'
import { defineColumns } from '../../output/columns.ts'
import { type ListOptions, listOptions, listRows } from '../../output/paging.ts'
import { subNoun, verb } from '../../program.ts'
import { resolveBotId, resolvePartId } from './reference.ts'

const columns = defineColumns(
  'createdAt as At, contactPhone as From',
  { field: 'question', title: 'Question', long: true },
  'reason, status, id as Review',
)

interface Filters extends ListOptions {
  readonly status?: 'open' | 'resolved' | 'dismissed'
}

async function list(context: Context, reference: string, { status, ...paging }: Filters): Promise<void> {
  const client = await context.admin()
  const input = { botId: await resolveBotId(client, reference), ...(status && { status }) }
  const rows = listRows(context, paging, client.bots.reviews, input)
  await context.print.list(rows, columns, 'There are no reviews.')
}

interface ResolveOptions {
  readonly answer?: string
  readonly dismiss?: true
  readonly send: boolean
  readonly learn: boolean
}

async function resolve(context: Context, reference: string, review: string, options: ResolveOptions): Promise<void> {
  const { answer, dismiss, send, learn } = options
  if ((answer === undefined) === (dismiss === undefined)) throw usageFailure('Pass either --answer or --dismiss.')
  const client = await context.admin()
  const botId = await resolveBotId(client, reference)
  const reviewId = await resolvePartId(context, client, 'reviews', botId, review)
  const how = answer === undefined ? ({ dismiss: true } as const) : { answer, send, learn }
  await context.print.record((await client.bots.resolveReview({ botId, reviewId, ...how })).review, columns)
}

/** `bots reviews`. */
export const reviewsVerbs = subNoun(
  'reviews',
  'answer what an assistant did not know',
  verb(
    'list <bot>',
    'list questions left to a person',
    list,
    ['msgctl bots reviews list Desk --status open'],
    (command) =>
      listOptions(command).addOption(
        new Option('--status <status>', 'show only this status').choices(['open', 'resolved', 'dismissed']),
      ),
  ),
  verb(
    'resolve <bot> <review>',
    'answer a question, or dismiss it',
    resolve,
    [
      'msgctl bots reviews resolve Desk 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5 --answer "Yes, on Sundays too."',
      'msgctl bots reviews resolve Desk 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5 --dismiss',
    ],
    (command) =>
      command
        .option('--answer <text>', 'answer to send and to learn')
        .option('--no-send', 'do not send the answer')
        .option('--no-learn', 'do not add the answer to what the assistant knows')
        .option('--dismiss', 'close it without an answer'),
  ),
)
