import path from 'node:path'
import { startEmbeddedPostgres } from '@msgctl/embedded-postgres'
import { openSecrets } from '@msgctl/network/secrets'
import { pino } from 'pino'
import { startClock } from '#platform/db/clock.ts'
import { connect } from '#platform/db/db.ts'
import { migrate } from '#platform/db/migrate.ts'
import { startWake } from '#platform/db/wake.ts'
import { readConfig } from '#process/config.ts'
import type { EngineName } from './failures.ts'
import { startFakeWaha } from './fake-waha.ts'

/** A fake WAHA server that a person starts by hand. */
interface StandAloneOptions {
  /** Where its simulated network is kept. */
  readonly folder: string
  readonly port: number
  readonly engine: EngineName
  readonly key: string
  readonly simToken: string
  readonly simSpeed: string
}

/** Starts a fake WAHA server with a simulated network of its own. The returned function stops both. */
export async function startStandAlone(options: StandAloneOptions): Promise<() => Promise<void>> {
  const { folder, port, engine, key, simToken, simSpeed } = options
  const postgres = await startEmbeddedPostgres({ dataDir: path.join(folder, 'pg') })
  const db = connect(postgres.url)
  await migrate(db)
  const clock = await startClock(db, { followMs: 1000 })
  const wake = startWake(db, postgres.url)
  const config = readConfig({ SIM_SPEED: simSpeed, SIM_CONTROL: '1', SIM_TOKEN: simToken })
  const secrets = openSecrets(config.secretsKeys)
  const log = pino({ level: 'warn' })
  const fake = await startFakeWaha({ db, clock, wake, log, config, secrets }, { engine, key, port })
  return async () => {
    await fake.stop()
    clock.stop()
    await wake.stop()
    await db.destroy()
    await postgres.stop()
  }
}
