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

/** Converts the options to a query. `max` is the maximum of --limit. */
export async function buildQuery(context: Context, { limit, number }: Limited, max: number) {
  const rows = limit === undefined ? {} : { limit: wholeFrom(limit, '--limit', 1, max) }
  const client = await context.client()
  return { client, query: { ...rows, ...(await optionalContainerId(client, number)) } }
}

export const ofNumber = ['--number <number>', 'use the chats of this number: id, label or phone'] as const
