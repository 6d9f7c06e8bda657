import { type Db, rows } from '#platform/db/db.ts'

/** More positions than any organization used between a backup and its restore. */
const gap = 1_000_000_000

/** Moves the next position of every organization behind all positions that readers may have seen since the backup. */
export async function skipPositions(trx: Db): Promise<void> {
  await rows(trx, 'update event_positions set last_position = last_position + :gap::bigint', { gap })
}
