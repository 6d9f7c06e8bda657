import { type Db, rows } from '#platform/db/db.ts'

/** Something that the staff did to an organization. */
export interface StaffEntry {
  readonly id: number
  readonly at: Date
  readonly action: string
  readonly details: Record<string, unknown>
  readonly ip: string | null
  /** Null for a person who was deleted. */
  readonly actorId: string | null
  readonly actorName: string | null
  readonly actorEmail: string | null
  readonly organizationId: string
  /** Null for an organization that was erased. */
  readonly organizationName: string | null
}

/** Returns what the staff did, in the logs of all organizations that administer the platform, the latest first. */
export async function listStaffActivity(
  db: Db,
  filter: { readonly organizationId: string | null; readonly before: string | null; readonly limit: number },
): Promise<StaffEntry[]> {
  return rows<StaffEntry>(
    db,
    `select l.id, l.at, l.action, l.details, l.ip, u.id as actor_id, u.name as actor_name, u.email as actor_email,
            l.subject as organization_id, o.name as organization_name
       from activity_log l
       left join users u on l.actor_kind = 'user' and u.id::text = l.actor_id
       left join organizations o on o.id::text = l.subject
      where l.organization_id in (select id from organizations where platform_admin_at is not null)
        and split_part(l.action, '.', 1) = 'admin'
        and (:organizationId::text is null or l.subject = :organizationId)
        and (:before::bigint is null or l.id < :before::bigint)
      order by l.id desc limit :limit`,
    filter,
  )
}
