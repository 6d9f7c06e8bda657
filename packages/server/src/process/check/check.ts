import { openSecrets } from '@msgctl/network/secrets'
import { listGatewayHosts } from '#networks/gateway/direct/operator-store.ts'
import { findWebVersion } from '#networks/gateway/direct/web-version.ts'
import { isWebVersionUsed } from '#networks/gateway/direct/web-version-store.ts'
import { listHostViews } from '#networks/gateway/waha/manage.ts'
import { connect, type Db } from '#platform/db/db.ts'
import { isRestored } from '#platform/db/identity.ts'
import { pendingMigrations } from '#platform/db/migrate.ts'
import { missingSharedSettings } from '#platform/db/pooled-settings.ts'
import { sharesSessions } from '#platform/db/pooler.ts'
import { findSmtpFault } from '#platform/mail/smtp.ts'
import { type Config, ConfigError, readConfig } from '#process/config.ts'
import { explainDatabaseError } from '#process/database.ts'
import { openSample } from '#upkeep/secret-keys/sample.ts'
import { readAheadMs, readServiceTime } from './clock-store.ts'
import { readDatabaseFacts } from './database-facts-store.ts'
import { judgeDatabase } from './database-rules.ts'
import { type Finding, finding } from './finding.ts'
import { judgeHosts } from './host-rules.ts'
import { judgeSettings } from './settings-rules.ts'
import { judgeWebVersion } from './web-version-rules.ts'

const mailTimeoutMs = 5000

/** Checks the preconditions of a production installation. It changes nothing and can run beside the service. */
export async function checkInstallation(env: Readonly<Record<string, string | undefined>>): Promise<Finding[]> {
  let config: Config
  try {
    config = readConfig(env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return [{ name: 'Settings', outcome: 'failed', text: inOneLine(error.message) }]
  }
  const settings = judgeSettings(config)
  const database = config.databaseUrl === null ? [] : await checkDatabase(config, config.databaseUrl)
  const mail = config.mail.smtpUrl === null ? [] : [await judgeMail(config.mail.smtpUrl, config.mail.from)]
  return [...settings, ...database, ...mail]
}

/** Returns a message that lists its faults in lines of their own as one line. */
function inOneLine(message: string): string {
  return message.replace(/\n {2}/, ' ').replaceAll(/\n {2}/g, '; ')
}

async function judgeMail(url: string, from: string): Promise<Finding> {
  const fault = await findSmtpFault({ url, from, timeoutMs: mailTimeoutMs })
  const text = `The server of SMTP_URL does not take mails (${fault}). Check its address, user and password.`
  return finding('Mail server', fault === null, 'accepts the user of SMTP_URL', text)
}

async function checkDatabase(config: Config, url: string): Promise<Finding[]> {
  const db = connect(url, { poolMax: 1, applicationName: 'msgctl check', prepared: false })
  try {
    const facts = await readDatabaseFacts(db)
    const judged = judgeDatabase(facts, config.databasePool, await readAheadMs(db))
    return [...judged, await judgePooler(config, url), ...(await judgeContents(db, config))]
  } catch (error) {
    const explained = explainDatabaseError(url, error)
    if (!(explained instanceof Error)) throw error
    return [{ name: 'Database', outcome: 'failed', text: explained.message }]
  } finally {
    await db.destroy()
  }
}

async function judgePooler({ databasePrepared }: Config, url: string): Promise<Finding> {
  const name = 'Pooler'
  if (!(await sharesSessions(url))) return { name, outcome: 'ok', text: 'none, or in session mode' }
  if (databasePrepared) {
    const text =
      'A pooler in transaction mode stands before the database. Use session mode, or set DATABASE_PREPARED=0.'
    return { name, outcome: 'failed', text }
  }
  const missing = await missingSharedSettings(url)
  const text = `The role lacks settings that shared sessions need. Run: ${missing.join(' ')}`
  return finding(name, missing.length === 0, 'in transaction mode, which DATABASE_PREPARED=0 allows for', text)
}

/** Judges what is stored: the schema, whose database it is, and whether the keys open its secrets. */
async function judgeContents(db: Db, config: Config): Promise<Finding[]> {
  const pending = await pendingMigrations(db)
  const migrations = finding(
    'Migrations',
    pending.length === 0,
    'all applied',
    `Run msgctl-server migrate. To apply: ${pending.join(', ')}.`,
  )
  if (pending.length > 0) return [migrations]
  const restored = finding(
    'Restore',
    !(await isRestored(db)),
    'this is the database of the service',
    'The database was restored or copied. No process serves it until you run msgctl-server after-restore.',
  )
  const hosts = judgeHosts(config.gateway, { waha: await listHostViews(db), direct: await listGatewayHosts(db) })
  return [migrations, restored, await judgeSecrets(db, config), ...hosts, ...(await judgeClaimedVersion(db))]
}

/** Judges the version of the network's own client that gateway hosts claim to be, where a host uses it. */
export async function judgeClaimedVersion(db: Db): Promise<Finding[]> {
  if (!(await isWebVersionUsed(db))) return []
  return [judgeWebVersion(await findWebVersion(db), await readServiceTime(db))]
}

async function judgeSecrets(db: Db, { secretsKeys }: Config): Promise<Finding> {
  const { opened, missingKeys, damaged } = await openSample(db, openSecrets(secretsKeys))
  const name = 'Stored secrets'
  if (missingKeys.length > 0) {
    return {
      name,
      outcome: 'failed',
      text: `SECRETS_KEYS lacks the key ${missingKeys.join(', ')}, which stored secrets need.`,
    }
  }
  const text = `${damaged} do not open: SECRETS_KEYS has another key under the same id.`
  return finding(name, damaged === 0, opened === 0 ? 'none yet' : `${opened} of a sample open`, text)
}
