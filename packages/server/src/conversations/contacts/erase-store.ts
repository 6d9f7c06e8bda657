import { type Db, rows } from '#platform/db/db.ts'

/**
 * Deletes the contacts of a person. Of one who opted out, the phone and the decision stay. Returns whether they did.
 */
export async function eraseContacts(
  trx: Db,
  { organizationId, contactIds }: { readonly organizationId: string; readonly contactIds: readonly string[] },
): Promise<boolean> {
  const bindings = { organizationId, contactIds }
  await rows(
    trx,
    `delete from contacts where organization_id = :organizationId and id = any(:contactIds::uuid[]) and not opted_out`,
    bindings,
  )
  const kept = await rows(
    trx,
    `update contacts set saved_name = null, network_name = null, lid = null, saved_in = '{}', known_to = '{}'
      where organization_id = :organizationId and id = any(:contactIds::uuid[]) returning id`,
    bindings,
  )
  return kept.length > 0
}
