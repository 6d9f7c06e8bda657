import { type Db, rows } from '#platform/db/db.ts'

/** Returns how many milliseconds the clock of this machine is ahead of the database's; negative when it is behind. */
export async function readAheadMs(db: Db): Promise<number> {
  const beforeMs = Date.now()
  const [read] = await rows<{ databaseMs: number }>(
    db,
    'select (extract(epoch from statement_timestamp()) * 1000)::float8 as database_ms',
  )
  const databaseMs = read?.databaseMs ?? beforeMs
  // The database was asked between the two times of the machine.
  return Math.round((beforeMs + Date.now()) / 2 - databaseMs)
}

/** Returns the time of the service. */
export async function readServiceTime(db: Db): Promise<Date> {
  const [read] = await rows<{ now: Date }>(db, 'select service_now() as now')
  return read?.now ?? new Date()
}
