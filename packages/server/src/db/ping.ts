import { type Db, rows } from './db.ts'

/** Resolves when the database responds. */
export async function ping(db: Db): Promise<void> {
  await rows(db, 'select 1 as alive')
}
