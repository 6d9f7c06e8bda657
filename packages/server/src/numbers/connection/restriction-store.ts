import { type Db, firstRow } from '#platform/db/db.ts'

/** A number whose restriction was recorded. */
export interface RestrictedNumber {
  readonly phoneNumber: string | null
  readonly instanceName: string
  /** Whether it was free until now. */
  readonly isNew: boolean
}

/**
 * Records until when the network limits what a number may send. A time that is earlier than the stored one, or within
 * a second of it, changes nothing: refusals of one restriction name its end to the millisecond. Returns undefined then.
 */
export async function writeRestriction(
  trx: Db,
  { organizationId, containerId }: { readonly organizationId: string; readonly containerId: string },
  until: Date,
): Promise<RestrictedNumber | undefined> {
  return firstRow<RestrictedNumber>(
    trx,
    `with known as materialized (
       select id, coalesce(restricted_until, '-infinity') as until from numbers
        where organization_id = :organizationId and id = :containerId for no key update
     )
     update numbers n set restricted_until = :until from known
      where n.organization_id = :organizationId and n.id = known.id
        and known.until < :until::timestamptz - interval '1 second'
     returning n.phone_number, n.instance_name,
               known.until <= (select service_now()) as is_new`,
    { organizationId, containerId, until },
  )
}
