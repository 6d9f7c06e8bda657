import { sharedBatcher } from '#platform/concurrency/batcher.ts'
import { type Db, preparedRows } from '#platform/db/db.ts'
import type { NumberCandidate } from './select-number.ts'

/** What the choice of a number needs to know, oldest first: of all numbers, or of the one with this id. */
export function listCandidates(db: Db, organizationId: string, only: string | null): Promise<NumberCandidate[]> {
  return candidatesSql(db, { organizationId, only })
}

interface CandidateQuery {
  readonly organizationId: string
  readonly only: string | null
}

/** The requests of one moment ask together: every send does. */
const candidatesSql = sharedBatcher(
  async (db: Db, queries: readonly CandidateQuery[]): Promise<NumberCandidate[][]> => {
    const found = await preparedRows<NumberCandidate & { place: number }>(
      db,
      `select a.place::int, n.id, n.is_default, n.status, n.queue_held_at is not null as held
       from unnest(:organizationIds::uuid[], :onlys::uuid[]) with ordinality as a (organization_id, wanted, place)
       join numbers n on n.organization_id = a.organization_id and (a.wanted is null or n.id = a.wanted)
      order by n.created_at, n.id`,
      { organizationIds: queries.map((one) => one.organizationId), onlys: queries.map((one) => one.only) },
    )
    const lists = queries.map((): NumberCandidate[] => [])
    for (const { place, ...candidate } of found) lists[place - 1]?.push(candidate)
    return lists
  },
)
