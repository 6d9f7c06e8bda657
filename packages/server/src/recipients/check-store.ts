import { sharedBatcher } from '../concurrency/batcher.ts'
import { type Db, preparedRows, rows } from '../db/db.ts'

/** A recent result of the network about a recipient. */
export interface KnownCheck {
  readonly digits: string
  readonly onNetwork: boolean
  /** The network's own address of the person; empty when it is not on the network. */
  readonly chatId: string
  readonly lid: string | null
}

const stillCounts = `checked_at > (select service_now()) - case when on_network then interval '24 h' else interval '1 h' end`

/** Returns the valid checks: 24 h for a recipient on the network, 1 h for one that is not. */
export async function findChecks(db: Db, organizationId: string, digits: readonly string[]): Promise<KnownCheck[]> {
  return rows<KnownCheck>(
    db,
    `select digits, on_network as "onNetwork", chat_id as "chatId", lid from recipient_checks
      where organization_id = :organizationId and digits = any(:digits::text[])
        and ${stillCounts}`,
    { organizationId, digits },
  )
}

/** The same for one recipient; concurrent requests share a query, because every send needs it. */
export function findCheck(db: Db, organizationId: string, digits: string): Promise<KnownCheck | undefined> {
  return preparedCheck(db, { organizationId, digits })
}

const preparedCheck = sharedBatcher(
  async (db: Db, queries: readonly { readonly organizationId: string; readonly digits: string }[]) => {
    const found = await preparedRows<KnownCheck & { position: number }>(
      db,
      `select a.position::int, k.digits, k.on_network as "onNetwork", k.chat_id as "chatId", k.lid
         from unnest(:organizationIds::uuid[], :all::text[]) with ordinality as a (organization_id, digits, position)
         join recipient_checks k on k.organization_id = a.organization_id and k.digits = a.digits
        where ${stillCounts}`,
      { organizationIds: queries.map((one) => one.organizationId), all: queries.map((one) => one.digits) },
    )
    const byPosition = new Map(found.map(({ position, ...check }) => [position, check]))
    return queries.map((_, n) => byPosition.get(n + 1))
  },
)

/** Stores checks. Rows are written in the order of the digits, so that two writers cannot deadlock. */
export async function saveChecks(db: Db, organizationId: string, checks: readonly KnownCheck[]): Promise<void> {
  const sorted = [...checks].sort((a, b) => (a.digits < b.digits ? -1 : 1))
  await rows(
    db,
    `insert into recipient_checks (organization_id, digits, on_network, chat_id, lid, checked_at)
     select :organizationId, c.digits, c.on_network, c.chat_id, c.lid, (select service_now())
       from unnest(:digits::text[], :onNetwork::boolean[], :chatIds::text[], :lids::text[])
              as c(digits, on_network, chat_id, lid)
     on conflict (organization_id, digits) do update
       set on_network = excluded.on_network, chat_id = excluded.chat_id, lid = excluded.lid,
           checked_at = excluded.checked_at`,
    {
      organizationId,
      digits: sorted.map((check) => check.digits),
      onNetwork: sorted.map((check) => check.onNetwork),
      chatIds: sorted.map((check) => check.chatId),
      lids: sorted.map((check) => check.lid),
    },
  )
}

/** Deletes up to `limit` expired checks and returns how many; a job calls it until it returns 0. */
export async function deleteExpiredChecks(db: Db, limit = 5000): Promise<number> {
  const gone = await rows(
    db,
    `delete from recipient_checks where ctid = any(array(
       select ctid from recipient_checks where checked_at < (select service_now()) - interval '24 h' limit :limit))
     returning 1 as gone`,
    { limit },
  )
  return gone.length
}
