import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { startEmbeddedPostgres } from '@msgctl/embedded-postgres'
import { newSecretsKeys } from '@msgctl/network/secrets'
import { connect } from '#platform/db/db.ts'
import { migrate, UnsupportedSchemaError } from '#platform/db/migrate.ts'
import { openAsPlainRole } from '#platform/db/plain-role.ts'
import { missingSharedSettings } from '#platform/db/pooled-settings.ts'
import { sharesSessions } from '#platform/db/pooler.ts'
import { createLogger } from '#platform/log/log.ts'
import { type Config, ConfigError } from './config.ts'

/** A migrated database and, when it is our own, what ends it. */
export interface OpenDatabase {
  readonly url: string
  /** The settings, completed by what the embedded database brings: its secrets key. */
  readonly config: Config
  /** The names of the migrations that ran just now. */
  readonly ran: readonly string[]
  /** Resolves with the reason when the embedded database ended and could not be started again. */
  readonly lost: Promise<Error>
  stop(): Promise<void>
}

const neverLost = new Promise<Error>(() => undefined)

/**
 * Opens the database of the settings, starts the embedded one when there is none, and migrates it. Throws a
 * {@link ConfigError} that names DATABASE_URL, and never its password, when the database there cannot be reached or
 * entered, and one that says what to delete when a version before 0.1.0 created the database.
 */
export async function openDatabase(config: Config): Promise<OpenDatabase> {
  if (config.databaseUrl !== null) {
    const url = config.databaseUrl
    const ran = await openedDirectly(url, config.databasePrepared).catch((error: unknown) => {
      throw explainDatabaseError(url, error)
    })
    return { url, config: withOwnSecrets(config), ran, lost: neverLost, stop: async () => undefined }
  }
  if (config.production) {
    throw new ConfigError('DATABASE_URL is not set. The embedded Postgres is not for NODE_ENV=production.')
  }
  const folder = path.resolve(config.dataDir)
  const { lost, restart } = watchPostgres(config)
  const postgres = await startEmbeddedPostgres({ dataDir: path.join(folder, 'postgres'), restart })
  const { url, ran } = await openedPlainly(postgres.url).catch(async (error: unknown) => {
    await postgres.stop()
    if (!(error instanceof UnsupportedSchemaError)) throw error
    throw new ConfigError(
      `The data in ${path.join(folder, 'postgres')} was created by a version before 0.1.0 and cannot be ` +
        'migrated. Delete that folder, or set DATA_DIR to another one.',
    )
  })
  const secretsKeys = config.secretsKeys ?? ownSecretsKeys(folder)
  writeFileSync(urlFile(folder), url, { mode: 0o600 })
  return { url, config: withOwnSecrets({ ...config, secretsKeys }), ran, lost, stop: postgres.stop }
}

/** Gives the embedded database to a role without the rights of a superuser, and migrates it as that role. */
async function openedPlainly(superuserUrl: string): Promise<{ url: string; ran: readonly string[] }> {
  const url = await openAsPlainRole(superuserUrl)
  return { url, ran: await migrated(url) }
}

/** Logs each restart of the embedded Postgres, and resolves `lost` when there is no further one. */
function watchPostgres({ logLevel, logFormat }: Config) {
  const log = createLogger(logLevel, undefined, logFormat)
  let lose: (error: Error) => void = () => undefined
  const lost = new Promise<Error>((resolve) => {
    lose = resolve
  })
  const restart = {
    onEnded: () => log.error({ event: 'postgres_ended' }, 'embedded Postgres ended by itself and is started again'),
    onRestarted: () => log.warn({ event: 'postgres_restarted' }, 'embedded Postgres accepts connections again'),
    onGivenUp: (err: unknown) => lose(err instanceof Error ? err : new Error(String(err))),
  }
  return { lost, restart }
}

/** Throws a {@link ConfigError} where opening the database would make one, which only the service itself does. */
export function requireDatabase({ databaseUrl, dataDir }: Config): void {
  const folder = path.resolve(dataDir)
  if (databaseUrl !== null || existsSync(path.join(folder, 'postgres')) || existsSync(urlFile(folder))) return
  throw new ConfigError(`There is no data in ${folder}. Set DATABASE_URL or DATA_DIR to those of the service.`)
}

/**
 * Joins the database of a service that may be running: the one of DATABASE_URL, the embedded one of a running service,
 * or else the embedded one started for the while. For the operator's commands, which make no database: throws a
 * {@link ConfigError} when there is none.
 */
export async function joinDatabase(config: Config): Promise<OpenDatabase> {
  requireDatabase(config)
  const folder = path.resolve(config.dataDir)
  const url = config.databaseUrl === null ? await runningUrl(folder) : null
  if (url === null) return openDatabase(config)
  const secretsKeys = config.secretsKeys ?? ownSecretsKeys(folder)
  return { url, config: { ...config, secretsKeys }, ran: [], lost: neverLost, stop: async () => undefined }
}

async function runningUrl(folder: string): Promise<string | null> {
  if (!existsSync(urlFile(folder))) return null
  const url = readFileSync(urlFile(folder), 'utf8')
  const db = connect(url, { poolMax: 1, connectTimeoutMs: 2000 })
  try {
    await db.raw('select 1')
    return url
  } catch {
    return null
  } finally {
    await db.destroy()
  }
}

/** Where the running service leaves the address of its embedded database, readable by its owner only. */
function urlFile(folder: string): string {
  return path.join(folder, 'database-url')
}

/**
 * Migrates the database of DATABASE_URL. Throws ConfigError when a pooler lets connections share its sessions, unless
 * the settings allow for it.
 */
async function openedDirectly(url: string, prepared: boolean): Promise<string[]> {
  if (await sharesSessions(url)) {
    if (prepared) {
      throw new ConfigError(
        'DATABASE_URL leads through a pooler in transaction mode: use session mode, connect to the database ' +
          'directly, or set DATABASE_PREPARED=0.',
      )
    }
    const missing = await missingSharedSettings(url)
    if (missing.length > 0) {
      throw new ConfigError(
        'Sessions are shared by a pooler, so their settings must come from the role. Run these statements, ' +
          `then RECONNECT in the pooler:\n${missing.map((line) => `  ${line}`).join('\n')}`,
      )
    }
  }
  return migrated(url)
}

async function migrated(url: string): Promise<string[]> {
  const db = connect(url, { poolMax: 1, applicationName: 'msgctl migrate' })
  try {
    return await migrate(db)
  } finally {
    await db.destroy()
  }
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'it closed the connection',
  ENOTFOUND: 'its host has no address',
  EAI_AGAIN: 'its host has no address at the moment',
  ETIMEDOUT: 'it did not answer in time',
  EHOSTUNREACH: 'its host cannot be reached',
  ENETUNREACH: 'its host cannot be reached',
  '08P01':
    'a pooler before it refuses what the service needs of a session; use session mode, connect to the database ' +
    'directly, or set DATABASE_PREPARED=0',
  '25006': 'it is read-only; connect to the primary, or turn default_transaction_read_only off',
  '28P01': 'it refused the user or the password',
  '28000': 'it refused the user',
  '3D000': 'there is no database of this name',
  '42501': 'the user may not make tables there',
  '53300': 'all its connections are taken',
  '57P03': 'it is starting or stopping',
}

/** The reasons of errors that have only a message. */
function reasonOf(message: string): string | undefined {
  if (/timeout/i.test(message)) return reasons.ETIMEDOUT
  return /^Connection terminated/.test(message) ? reasons.ECONNRESET : undefined
}

/** Returns the error as a sentence for the operator where it is a usual one, and otherwise as it is. */
export function explainDatabaseError(url: string, error: unknown): unknown {
  if (error instanceof ConfigError) return error
  const { host, pathname } = new URL(url)
  if (error instanceof UnsupportedSchemaError) {
    return new ConfigError(
      `The database of DATABASE_URL (${host}${pathname}) was created by a version before 0.1.0 and cannot be ` +
        'migrated. Drop it and create an empty one, or set DATABASE_URL to another one.',
    )
  }
  const { code = '', message } = error as NodeJS.ErrnoException
  const reason = reasons[code] ?? (code === '' ? reasonOf(message) : undefined)
  if (reason === undefined) return error
  return new ConfigError(`The database of DATABASE_URL (${host}${pathname}) cannot be used: ${reason}.`)
}

/** The secrets key of the embedded database. */
function ownSecretsKeys(folder: string): string {
  return ownSecret(path.join(folder, 'secrets-keys'), newSecretsKeys)
}

/** The settings with the token that callers of /sim must send; only who may read the data folder knows it. */
function withSimToken(config: Config): Config {
  const { simulator, dataDir } = config
  if (!simulator.control || simulator.token !== null) return config
  const token = ownSecret(path.resolve(dataDir, 'sim-token'), () => randomBytes(24).toString('base64url'))
  return { ...config, simulator: { ...simulator, token } }
}

/** The settings with the secrets that belong to the data folder. */
function withOwnSecrets(config: Config): Config {
  return withPaymentSecret(withSimToken(config))
}

/** The settings with the secret with which the simulator of the payment provider signs its events. */
function withPaymentSecret(config: Config): Config {
  const { payments, dataDir } = config
  if (payments === null || payments.webhookSecrets !== null) return config
  const secret = ownSecret(path.resolve(dataDir, 'payment-secret'), () => `whsec_${randomBytes(24).toString('hex')}`)
  return { ...config, payments: { ...payments, webhookSecrets: [secret] } }
}

/** A secret that is made once, kept beside the data, and readable by its owner only. */
function ownSecret(file: string, make: () => string): string {
  if (!existsSync(file)) {
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, `${make()}\n`, { mode: 0o600, flag: 'wx' })
  }
  chmodSync(file, 0o600)
  return readFileSync(file, 'utf8').trim()
}
