import { sharedBatcher } from '../concurrency/batcher.ts'
import { type Db, preparedRows, rows } from '../db/db.ts'

/** What the network said about a number, not too long ago. */
export interface KnownCheck {
  readonly digits: string
  readonly onNetwork: boolean
  /** The network's own address of the person; empty when it is not on the network. */
  readonly chatId: string
  readonly lid: string | null
}

const stillCounts = `checked_at > (select service_now()) - case when on_network then interval '24 h' else interval '1 h' end`

/** The answers that still count: 24 h for a number that is on the network, 1 h for one that is not. */
export async function findChecks(db: Db, organizationId: string, digits: readonly string[]): Promise<KnownCheck[]> {
  return rows<KnownCheck>(
    db,
    `select digits, on_network as "onNetwork", chat_id as "chatId", lid from recipient_checks
      where organization_id = :organizationId and digits = any(:digits::text[])
        and ${stillCounts}`,
    { organizationId, digits },
  )
}

/** The same for one number; the requests of one moment ask together: every send does. */
export function findCheck(db: Db, organizationId: string, digits: string): Promise<KnownCheck | undefined> {
  return preparedCheck(db, { organizationId, digits })
}

const preparedCheck = sharedBatcher(
  async (db: Db, asked: readonly { readonly organizationId: string; readonly digits: string }[]) => {
    const found = await preparedRows<KnownCheck & { place: number }>(
      db,
      `select a.place::int, k.digits, k.on_network as "onNetwork", k.chat_id as "chatId", k.lid
         from unnest(:organizationIds::uuid[], :all::text[]) with ordinality as a (organization_id, digits, place)
         join recipient_checks k on k.organization_id = a.organization_id and k.digits = a.digits
        where ${stillCounts}`,
      { organizationIds: asked.map((one) => one.organizationId), all: asked.map((one) => one.digits) },
    )
    const byPlace = new Map(found.map(({ place, ...check }) => [place, check]))
    return asked.map((_, n) => byPlace.get(n + 1))
  },
)

/** Keeps what the network said. Rows are written in the order of the number, so that two writers never wait in a ring. */
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

/** Deletes up to `limit` answers that no longer count; a periodic job calls it until it answers 0. */
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
