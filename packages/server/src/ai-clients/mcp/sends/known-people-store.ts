import { type Db, rows } from '#platform/db/db.ts'

/**
 * Returns whether a person has ever written to a number of the organization. `phone` is digits, or an id ending in
 * @lid.
 */
export async function hasWritten(db: Db, organizationId: string, phone: string): Promise<boolean> {
  const [found] = await rows<{ written: boolean }>(
    db,
    `select exists (
       select from contacts c cross join numbers n
        where c.organization_id = :organizationId and (c.phone = :phone or c.lid = :phone)
          and n.organization_id = :organizationId
          and exists (select from chat_messages m
                       where m.container_id = n.id and m.contact_id = c.id and m.direction = 'in')) as written`,
    { organizationId, phone },
  )
  return found?.written ?? false
}
