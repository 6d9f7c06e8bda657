import { type Db, rows } from '../db/db.ts'

/** What decides whether an organization may move. */
export interface MoveState {
  readonly name: string
  readonly movingAt: Date | null
  readonly closedAt: Date | null
  readonly movedTo: string | null
  readonly isDeleted: boolean
}

/** Returns the state of the move of an organization. Lock it first to change it. */
export async function findMoveState(db: Db, organizationId: string): Promise<MoveState | undefined> {
  const [found] = await rows<MoveState>(
    db,
    `select name, moving_at as "movingAt", closed_at as "closedAt", moved_to as "movedTo",
            deleted_at is not null as "isDeleted"
       from organizations where id = :organizationId`,
    { organizationId },
  )
  return found
}

/** Records that an organization moves, or that it does not any more. */
export async function writeMoving(trx: Db, organizationId: string, isMoving: boolean): Promise<void> {
  await rows(
    trx,
    `update organizations set moving_at = case when :isMoving then coalesce(moving_at, service_now()) end,
            closed_at = case when :isMoving then closed_at end, moved_to = null
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

/** Records the address to which a moving organization has moved. */
export async function writeMoved(trx: Db, organizationId: string, address: string): Promise<void> {
  await trx('organizations').where({ id: organizationId }).update({ moved_to: address })
}

const isUnclosed = 'moving_at is not null and closed_at is null'
/** SQL condition: whether there are moving organizations whose numbers are not stopped yet. */
export const hasUnclosedOrganizations = `exists (select from organizations where ${isUnclosed})`

/** Returns the moving organizations whose numbers are not stopped yet. */
export async function listUnclosed(db: Db): Promise<{ readonly organizationId: string }[]> {
  return rows(db, `select id as "organizationId" from organizations where ${isUnclosed} order by id`)
}
