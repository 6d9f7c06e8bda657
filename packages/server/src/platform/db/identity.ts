import { type Db, rows } from './db.ts'
import { restoredQuery } from './restored-error.ts'

/** Returns whether the database was restored, and the operator has not answered yet. */
export async function isRestored(db: Db): Promise<boolean> {
  const [found] = await rows<{ restored: boolean }>(db, restoredQuery)
  return found?.restored === true
}

/** Records that this is the database of the service. */
export async function recordIdentity(db: Db): Promise<void> {
  await rows(
    db,
    `update database_identity set identity = read_database_identity(), timeline = read_database_timeline()
      where only_row`,
  )
}
