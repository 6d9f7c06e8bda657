import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@msgctl/embedded-postgres'
import { connect } from '#platform/db/db.ts'
import { migrate } from '#platform/db/migrate.ts'

/** A migrated throw-away cluster that can be restarted under its users' hands. */
export interface CrashingPostgres {
  readonly url: string
  /** What `pg_ctl restart -m immediate` does: every process of Postgres ends at once, and it recovers from its log. */
  restart(): Promise<void>
  /** Ends it and removes its data. */
  remove(): Promise<void>
}

/** Starts one. What it has said to be committed survives a restart; only the machine itself must not lose power. */
export async function startCrashingPostgres(): Promise<CrashingPostgres> {
  const folder = mkdtempSync(path.join(tmpdir(), 'msgctl-restart-'))
  chmodSync(folder, 0o755)
  const options = { dataDir: path.join(folder, 'pg'), settings: { fsync: 'off' } }
  let postgres: EmbeddedPostgres = await startEmbeddedPostgres(options)
  const { url, dataDir } = postgres
  const db = connect(url, { poolMax: 1 })
  await migrate(db).finally(() => db.destroy())
  return {
    url,
    async restart() {
      const pid = Number.parseInt(readFileSync(path.join(dataDir, 'postmaster.pid'), 'utf8'), 10)
      process.kill(pid, 'SIGQUIT')
      await postgres.stop()
      const port = Number(new URL(url).port)
      postgres = await startEmbeddedPostgres({ ...options, dataDir, choosePort: async () => port })
    },
    async remove() {
      await postgres.stop()
      for (const place of [dataDir, folder]) rmSync(place, { recursive: true, force: true })
    },
  }
}
