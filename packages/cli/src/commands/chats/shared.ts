import type { Context } from '../../context.ts'
import { wholeFrom } from '../../input/duration.ts'
import type { Column } from '../../output/columns.ts'
import { optionalContainerId } from '../numbers/reference.ts'

export const markedColumns: readonly Column[] = [{ field: 'marked', title: 'Marked read' }]

interface OfNumber {
  readonly number?: string
}

export interface Limited extends OfNumber {
  readonly limit?: string
}

/** The options as a query: rows at most, up to `most`, and the number. */
export async function queryFrom(context: Context, { limit, number }: Limited, most: number) {
  const rows = limit === undefined ? {} : { limit: wholeFrom(limit, '--limit', 1, most) }
  const client = await context.client()
  return { client, query: { ...rows, ...(await optionalContainerId(client, number)) } }
}

export const ofNumber = ['--number <number>', 'the chats of this number: its id, label or phone'] as const
