import { limits } from '@msgctl/contract'
import { type Db, firstRow, rows, serviceNow } from '#platform/db/db.ts'
import type { Row } from '#platform/db/tables.ts'

/** What decides whether an organization may move. */
export interface MoveState extends Pick<Row<'organizations'>, 'name' | 'movingAt' | 'closedAt' | 'movedTo'> {
  /** Whether its data is still here, so that the end of its move can be taken back. */
  readonly isKept: boolean
  /** The SHA-256, as hex, of each file that it was exported into since it was closed. */
  readonly exportedDigests: readonly string[]
  /** What the import of it here printed; null for one that was not imported. */
  readonly importReceipt: string | null
  readonly isDeleted: boolean
  readonly now: Date
}

/** Returns the state of the move of an organization. Lock it first to change it. */
export async function findMoveState(db: Db, organizationId: string): Promise<MoveState | undefined> {
  return firstRow<MoveState>(
    db,
    `select name, moving_at, closed_at, moved_to,
            coalesce(moved_at > service_now() - :keptDays::int * interval '1 day', false) as is_kept,
            array(select encode(digest, 'hex') from unnest(exported_digests) d(digest)) as exported_digests,
            import_receipt, deleted_at is not null as is_deleted, service_now() as now
       from organizations where id = :organizationId`,
    { organizationId, keptDays: limits.erasureDays },
  )
}

/** Records that an organization moves, or that it does not any more. */
export async function writeMoving(trx: Db, organizationId: string, isMoving: boolean): Promise<void> {
  await rows(
    trx,
    `update organizations set moving_at = case when :isMoving then coalesce(moving_at, service_now()) end,
            closed_at = case when :isMoving then closed_at end, moved_to = null, moved_at = null,
            exported_digests = case when :isMoving then exported_digests else '{}' end
      where id = :organizationId`,
    { organizationId, isMoving },
  )
}

/** Records that the numbers of a moving organization are stopped at their networks. */
export async function writeClosed(db: Db, organizationId: string): Promise<void> {
  await rows(
    db,
    'update organizations set closed_at = service_now() where id = :organizationId and moving_at is not null',
    { organizationId },
  )
}

/** Records that a closed organization was exported into the file with this SHA-256, as hex. */
export async function writeExported(trx: Db, organizationId: string, digest: string): Promise<void> {
  await rows(
    trx,
    `update organizations set exported_digests = exported_digests || decode(:digest, 'hex')
      where id = :organizationId and closed_at is not null`,
    { organizationId, digest },
  )
}

/** Records what the import of an organization printed. Its people administer no service but their own. */
export async function writeImported(trx: Db, organizationId: string, receipt: string): Promise<void> {
  await trx('organizations').where({ id: organizationId }).update({ importReceipt: receipt, platformAdminAt: null })
}

/** Records the address to which a moving organization has moved. Its data is deleted some days later. */
export async function writeMoved(trx: Db, organizationId: string, address: string): Promise<void> {
  await trx('organizations')
    .where({ id: organizationId })
    .update({ movedTo: address, movedAt: serviceNow(trx) })
}

/** SQL condition: whether there are organizations that have moved away and whose data is here. */
export const hasMovedOrganizations = 'exists (select from organizations where moved_at is not null)'

/** Returns the organizations that moved away so many days ago, and whose data is still here. */
export async function listMovedAway(db: Db, keptDays: number): Promise<{ readonly organizationId: string }[]> {
  return rows(
    db,
    `select id as organization_id from organizations
      where moved_at <= service_now() - :keptDays::int * interval '1 day' order by moved_at, id limit 100`,
    { keptDays },
  )
}

/** Records that the data of an organization that has moved away is deleted here. */
export async function writeMovedErased(db: Db, organizationId: string): Promise<void> {
  await rows(db, 'update organizations set moved_at = null where id = :organizationId and moved_to is not null', {
    organizationId,
  })
}

const isUnclosed = 'moving_at is not null and closed_at is null'
/** SQL condition: whether there are moving organizations whose numbers are not stopped yet. */
export const hasUnclosedOrganizations = `exists (select from organizations where ${isUnclosed})`

/** Returns the moving organizations whose numbers are not stopped yet. */
export async function listUnclosed(db: Db): Promise<{ readonly organizationId: string }[]> {
  return rows(db, `select id as organization_id from organizations where ${isUnclosed} order by id`)
}
