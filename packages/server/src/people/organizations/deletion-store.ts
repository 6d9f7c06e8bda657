import { type Db, firstRow, rows, serviceNow } from '#platform/db/db.ts'
import { afterCommit } from '#platform/db/wake.ts'

/** What decides whether an organization may be deleted or restored. */
export interface DeletionState {
  readonly name: string
  readonly isProtected: boolean
  /** Whether it is one of the platform's staff, which cannot be deleted either. */
  readonly isPlatformAdmin: boolean
  readonly deletedAt: Date | null
  /** Whether the operator can still restore it. */
  readonly isRestorable: boolean
  readonly ownerId: string | null
}

/** Returns the state of an organization. Lock it first to change it. */
export async function findDeletionState(
  db: Db,
  organizationId: string,
  keptDays: number,
): Promise<DeletionState | undefined> {
  return firstRow<DeletionState>(
    db,
    `select o.name, o.protected_at is not null as is_protected, o.platform_admin_at is not null as is_platform_admin,
            o.deleted_at, m.user_id as owner_id,
            coalesce(o.deleted_at > (select service_now()) - :keptDays::int * interval '1 day', false) as is_restorable
       from organizations o left join members m on m.organization_id = o.id and m.role = 'owner'
      where o.id = :organizationId`,
    { organizationId, keptDays },
  )
}

/** Marks an organization as deleted and deactivated; `userId` is null for the operator. Returns when. */
export async function writeDeleted(trx: Db, organizationId: string, userId: string | null): Promise<Date> {
  const [deleted] = await rows<{ deletedAt: Date }>(
    trx,
    `update organizations set deleted_at = now, deactivated_at = coalesce(deactivated_at, now), deleted_by = :userId
       from (select service_now() as now) t where id = :organizationId
     returning deleted_at`,
    { organizationId, userId },
  )
  if (!deleted) throw new Error('deleting an organization changed no row')
  afterCommit(trx, 'deletions')
  return deleted.deletedAt
}

/** Takes a deletion back. An organization that was deactivated before it stays deactivated. */
export async function writeRestored(trx: Db, organizationId: string): Promise<void> {
  await rows(
    trx,
    `update organizations set deleted_at = null, deleted_by = null,
            deactivated_at = case when deactivated_at <> deleted_at then deactivated_at end
      where id = :organizationId`,
    { organizationId },
  )
}

/** Writes whether the operator refuses the deletion of an organization. */
export async function writeProtected(trx: Db, organizationId: string, isProtected: boolean): Promise<void> {
  await trx('organizations')
    .where({ id: organizationId })
    .update({ protectedAt: isProtected ? serviceNow(trx) : null })
}

/** A deleted organization that is not erased yet. */
export interface DeletedOrganization {
  readonly organizationId: string
  /** Whether its data is to be erased now. */
  readonly isDue: boolean
  /** Whether the erasure waits no longer for the networks of its numbers. */
  readonly isOverdue: boolean
}

/** SQL condition: whether there are deleted organizations that are not erased yet. */
export const hasDeletedOrganizations = 'exists (select from organizations where deleted_at is not null)'

/** Returns deleted organizations of all tenants, the first deleted first. */
export async function listDeleted(
  db: Db,
  { keptDays, patienceDays }: { readonly keptDays: number; readonly patienceDays: number },
): Promise<DeletedOrganization[]> {
  return rows<DeletedOrganization>(
    db,
    `select id as organization_id, deleted_at <= now - :keptDays::int * interval '1 day' as is_due,
            deleted_at <= now - (:keptDays::int + :patienceDays::int) * interval '1 day' as is_overdue
       from organizations, (select service_now() as now) t
      where deleted_at is not null order by deleted_at, id limit 100`,
    { keptDays, patienceDays },
  )
}

/** Deletes the row of an erased organization, and keeps the fact. */
export async function finishErasure(trx: Db, organizationId: string): Promise<void> {
  await rows(
    trx,
    `insert into erasures (organization_id, name_hash, deleted_at, erased_at)
     select id, sha256(convert_to(name, 'UTF8')), deleted_at, service_now() from organizations
      where id = :organizationId and deleted_at is not null`,
    { organizationId },
  )
  await trx('organizations').where({ id: organizationId }).whereNotNull('deletedAt').delete()
}
