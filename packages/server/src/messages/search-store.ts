import { type Db, rows } from '../db/db.ts'
import type { HistoryFilter, HistoryPlace } from './list-store.ts'

/** What to look for, and where. */
export interface RowSearch {
  readonly text: string
  readonly recipient: string
  readonly place: HistoryPlace | null
  readonly most: number
}

/** Reads the organization's messages one by one, newest first, and answers the ids of those that match. */
export async function searchRows(db: Db, filter: HistoryFilter, search: RowSearch): Promise<string[]> {
  const found = await rows<{ id: string }>(
    db,
    `select m.id from messages m
      where m.organization_id = :organizationId
        and (:type::text is null or m.type = :type) and (:status::text is null or m.status = :status)
        and (m.recipient like :recipient or m.content ilike :content)
        and (:createdAt::timestamptz is null or (m.created_at, m.id) < (:createdAt::timestamptz, :id::uuid))
      order by m.created_at desc, m.id desc limit :most`,
    {
      ...filter,
      content: contains(search.text),
      recipient: contains(search.recipient),
      createdAt: search.place?.createdAt ?? null,
      id: search.place?.id ?? null,
      most: search.most,
    },
  )
  return found.map(({ id }) => id)
}

/** The LIKE pattern of a text that contains `part`. */
function contains(part: string): string {
  return `%${part.replace(/[\\%_]/g, '\\$&')}%`
}
