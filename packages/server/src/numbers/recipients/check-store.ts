import { sharedBatcher } from '#platform/concurrency/batcher.ts'
import { type Db, preparedRows, rows } from '#platform/db/db.ts'
import type { CheckLimits } from './check-limits.ts'

/** A recent result of the network about a recipient. */
export interface KnownCheck {
  readonly digits: string
  readonly onNetwork: boolean
  /** The network's own address of the person; empty when it is not on the network. */
  readonly chatId: string
  readonly lid: string | null
}

/** The SQL condition of a check that still counts. */
export const stillCounts = 'valid_until > (select service_now())'

/** Returns the valid checks. */
export async function findChecks(db: Db, organizationId: string, digits: readonly string[]): Promise<KnownCheck[]> {
  return rows<KnownCheck>(
    db,
    `select digits, on_network, chat_id, lid from recipient_checks
      where organization_id = :organizationId and digits = any(:digits::text[])
        and ${stillCounts}`,
    { organizationId, digits },
  )
}

/** Returns the network's own address of a recipient, whenever it was checked; concurrent requests share a query. */
export const findKnownAddress = sharedBatcher(
  async (db: Db, queries: readonly { readonly organizationId: string; readonly digits: string }[]) => {
    const found = await preparedRows<{ position: number; chatId: string }>(
      db,
      `select a.position::int, k.chat_id
         from unnest(:organizationIds::uuid[], :all::text[]) with ordinality as a (organization_id, digits, position)
         join recipient_checks k on k.organization_id = a.organization_id and k.digits = a.digits
        where k.on_network`,
      { organizationIds: queries.map((one) => one.organizationId), all: queries.map((one) => one.digits) },
    )
    const byPosition = new Map(found.map(({ position, chatId }) => [position, chatId]))
    return queries.map((_, n) => byPosition.get(n + 1))
  },
)

/** Stores checks. Rows are written in the order of the digits, so that two writers cannot deadlock. */
export async function saveChecks(
  db: Db,
  organizationId: string,
  checks: readonly KnownCheck[],
  validHours: CheckLimits['validHours'],
): Promise<void> {
  const sorted = [...checks].sort((a, b) => (a.digits < b.digits ? -1 : 1))
  await rows(
    db,
    `insert into recipient_checks (organization_id, digits, on_network, chat_id, lid, valid_until)
     select :organizationId, c.digits, c.on_network, c.chat_id, c.lid,
            (select service_now()) + case when c.on_network then :onNetworkHours::int
              else :notOnNetworkHours::int end * interval '1 h'
       from unnest(:digits::text[], :onNetwork::boolean[], :chatIds::text[], :lids::text[])
              as c(digits, on_network, chat_id, lid)
     on conflict (organization_id, digits) do update
       set on_network = excluded.on_network, chat_id = excluded.chat_id, lid = excluded.lid,
           valid_until = excluded.valid_until`,
    {
      organizationId,
      digits: sorted.map((check) => check.digits),
      onNetwork: sorted.map((check) => check.onNetwork),
      chatIds: sorted.map((check) => check.chatId),
      lids: sorted.map((check) => check.lid),
      onNetworkHours: validHours.onNetwork,
      notOnNetworkHours: validHours.notOnNetwork,
    },
  )
}

/** How long a message that reached a phone proves that the phone is on the network. */
const reachedHours = 30 * 24

/**
 * Records that messages reached phones on a real network: as good as a check. A row is written once a day for each
 * recipient at most.
 */
export async function noteReached(trx: Db, messageIds: readonly string[]): Promise<void> {
  if (messageIds.length === 0) return
  await rows(
    trx,
    `insert into recipient_checks as kept (organization_id, digits, on_network, chat_id, lid, valid_until)
     select distinct m.organization_id, m.recipient, true, m.recipient || '@c.us', null,
            (select service_now()) + :hours::int * interval '1 h'
       from messages m join numbers n on n.id = m.container_id and n.gateway <> 'simulator'
      where m.id = any(:messageIds::uuid[]) and m.recipient not like '%@lid'
      order by 1, 2
     on conflict (organization_id, digits) do update
        set on_network = true, valid_until = excluded.valid_until,
            chat_id = case when kept.on_network then kept.chat_id else excluded.chat_id end
      where not kept.on_network or kept.valid_until < excluded.valid_until - interval '1 day'`,
    { messageIds, hours: reachedHours },
  )
}

/** Deletes up to `limit` expired checks and returns how many; a job calls it until it returns 0. */
export async function deleteExpiredChecks(db: Db, limit = 5000): Promise<number> {
  const gone = await rows(
    db,
    `delete from recipient_checks where ctid = any(array(
       select ctid from recipient_checks where valid_until < (select service_now()) limit :limit))
     returning 1 as gone`,
    { limit },
  )
  return gone.length
}
