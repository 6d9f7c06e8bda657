import { type Db, rows, serviceNow, transaction } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'

/** Who sends. */
export interface Sender {
  readonly organizationId: string
  readonly credential: string
}

/** A window of so many sends. */
export interface SendWindow {
  readonly seconds: number
  readonly sends: number
}

/** A send that counts, or how long to wait for one. */
export type SendPermit =
  | { readonly id: string; readonly waitSeconds?: never }
  | { readonly id?: never; readonly waitSeconds: number }

/**
 * Counts one send in sliding windows, exactly over all processes. A send that does not happen must be given back with
 * {@link returnPermit}.
 */
export async function takePermit(db: Db, sender: Sender, windows: readonly SendWindow[]): Promise<SendPermit> {
  return transaction(db, async (trx) => {
    await rows(
      trx,
      `select pg_advisory_xact_lock(hashtextextended(concat_ws(' ', 'mcp', :organizationId::text, :credential::text),
            0))`,
      { ...sender },
    )
    const [longest] = await rows<{ wait: number | null }>(
      trx,
      `select max(extract(epoch from taken.at + w.seconds * interval '1 s' - (select service_now())))::float8 as wait
         from unnest(:seconds::int[], :sends::int[]) as w (seconds, sends)
        cross join lateral (
          select s.at from mcp_sends s where s.organization_id = :organizationId and s.credential = :credential
           order by s.at desc offset w.sends - 1 limit 1) taken
        where taken.at > (select service_now()) - w.seconds * interval '1 s'`,
      { ...sender, seconds: windows.map(({ seconds }) => seconds), sends: windows.map(({ sends }) => sends) },
    )
    if (longest?.wait) return { waitSeconds: Math.max(1, Math.ceil(longest.wait)) }
    const id = newId()
    await trx('mcp_sends').insert({
      id,
      organizationId: sender.organizationId,
      credential: sender.credential,
      at: serviceNow(trx),
    })
    return { id }
  })
}

/** Gives back the permit of a send that did not happen. */
export async function returnPermit(db: Db, { organizationId }: Sender, id: string): Promise<void> {
  await db('mcp_sends').where({ organizationId, id }).delete()
}

/** Deletes up to `limit` sends that no window counts any more. Returns how many there were. */
export async function deleteExpiredSends(db: Db, limit = 5000): Promise<number> {
  const expired = db('mcp_sends')
    .select('id')
    .where('at', '<', serviceNow(db, -2 * 60 * 60 * 1000))
    .limit(limit)
  return db('mcp_sends').whereIn('id', expired).delete()
}
