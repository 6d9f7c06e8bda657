import { type KnownCheck, stillCounts } from '#numbers/recipients/check-store.ts'
import type { NumberCandidate } from '#numbers/send-group/select-number.ts'
import { sharedBatcher } from '#platform/concurrency/batcher.ts'
import { type Db, preparedRows } from '#platform/db/db.ts'
import type { OuterJoined } from '#platform/db/tables.ts'

/** What is read for a text before it is queued. */
interface TextFacts {
  /** The numbers that may send it, oldest first. */
  readonly candidates: readonly NumberCandidate[]
  /** The stored check of its recipient. */
  readonly known: KnownCheck | undefined
}

interface TextQuery {
  readonly organizationId: string
  /** The only number that the caller can mean, or null. */
  readonly requested: string | null
  readonly digits: string
}

type FactsRow = OuterJoined<Omit<NumberCandidate, 'held'>> &
  OuterJoined<KnownCheck> & { readonly held: boolean; readonly place: number }

/**
 * Returns the candidates of a text and the check of its recipient. Both in one statement, and that shared by the
 * requests of one moment: a statement costs an API process more than what it reads.
 */
export const findTextFacts = sharedBatcher(async (db: Db, queries: readonly TextQuery[]): Promise<TextFacts[]> => {
  const found = await preparedRows<FactsRow>(
    db,
    `select a.place::int, n.id, n.is_default, n.status, n.queue_held_at is not null as held, k.digits, k.on_network,
            k.chat_id, k.lid
       from unnest(:organizationIds::uuid[], :requested::uuid[], :digits::text[])
              with ordinality as a (organization_id, requested, digits, place)
       left join numbers n on n.organization_id = a.organization_id and (a.requested is null or n.id = a.requested)
       left join recipient_checks k on k.organization_id = a.organization_id and k.digits = a.digits
         and k.${stillCounts}
      order by n.created_at, n.id`,
    {
      organizationIds: queries.map((one) => one.organizationId),
      requested: queries.map((one) => one.requested),
      digits: queries.map((one) => one.digits),
    },
  )
  const lists = queries.map((): FactsRow[] => [])
  for (const row of found) lists[row.place - 1]?.push(row)
  return lists.map((rows) => ({
    candidates: rows.filter((row) => row.id !== null),
    known: rows[0] && rows[0].digits !== null ? rows[0] : undefined,
  }))
})
