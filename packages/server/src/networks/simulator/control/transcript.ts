import * as z from 'zod'
import type { SimContext } from '#networks/simulator/context.ts'
import { addressesOf } from '#networks/simulator/people/lid.ts'
import { address } from './inbound.ts'
import { countTranscript, readTranscript, type TranscriptRow } from './store.ts'

/** Which part of the transcript: of one number, with one person, after a message, so many. */
export const transcriptQuery = z.object({
  containerId: z.uuid().toLowerCase().optional(),
  phone: address.optional(),
  after: z.coerce.number<number>().int().min(0).default(0),
  limit: z.coerce.number<number>().int().min(1).max(1000).default(100),
})

/** What really reached phones. `nextAfter` begins the next page; it is null on the last. */
export interface Transcript {
  readonly total: number
  readonly messages: readonly Omit<TranscriptRow, 'id'>[]
  readonly nextAfter: number | null
}

/** Reads one page of the transcript, in the order in which the network took the messages. */
export async function transcript(ctx: SimContext, query: z.infer<typeof transcriptQuery>): Promise<Transcript> {
  const scope = {
    containerId: query.containerId ?? null,
    chats: query.phone === undefined ? null : addressesOf(query.phone),
  }
  const found = await readTranscript(ctx.db, { ...scope, after: query.after, limit: query.limit + 1 })
  const page = found.slice(0, query.limit)
  return {
    total: await countTranscript(ctx.db, scope),
    messages: page.map(({ id: _, ...message }) => message),
    nextAfter: found.length > query.limit ? (page.at(-1)?.id ?? null) : null,
  }
}
