import { type Db, rows } from '#platform/db/db.ts'

/** A stopped number whose link may end soon. */
export interface UnusedNumber {
  readonly organizationId: string
  readonly containerId: string
  readonly phoneNumber: string | null
  readonly instanceName: string
}

/**
 * Records for up to `limit` numbers of real networks, of all organizations, that have been linked and stopped for
 * `from` days and less than `to`, that this was reported: once for each stop. Returns them. Works in a transaction.
 */
export async function markUnused(
  trx: Db,
  days: { readonly from: number; readonly to: number },
  limit: number,
): Promise<UnusedNumber[]> {
  return rows<UnusedNumber>(
    trx,
    `update numbers set unused_warned_at = (select service_now())
      where id = any(array(
        select id from numbers
         where status = 'STOPPED' and network_id is not null and gateway <> 'simulator'
           and status_since < (select service_now()) - :from * interval '1 day'
           and status_since >= (select service_now()) - :to * interval '1 day'
           and coalesce(unused_warned_at, '-infinity') < status_since
         order by status_since limit :limit for update skip locked))
     returning organization_id, id as container_id, phone_number, instance_name`,
    { ...days, limit },
  )
}
