// PgBouncer of Debian before the database, in both modes.
import { chownSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { isRefusal, refusal } from '../../scripts/process.mjs'
import { asPostgres } from './postgres.mjs'
import { call, freePort, start, until } from './programs.mjs'
import { addNumber, clientOf, createOrganization, operate, sendAndWait, settings, startProcess } from './service.mjs'

/** @import { Postgres } from './postgres.mjs' */
/** @import { Context } from './service.mjs' */

/**
 * @param {string} folder
 * @param {string} mode
 * @param {Postgres} postgres
 */
async function startPooler(folder, mode, postgres) {
  const own = path.join(folder, `pgbouncer-${mode}`)
  mkdirSync(own)
  const port = await freePort()
  writeFileSync(path.join(own, 'users.txt'), '"msgctl" "msgctl"\n')
  const file = path.join(own, 'pgbouncer.ini')
  writeFileSync(
    file,
    `[databases]
msgctl = host=127.0.0.1 port=${postgres.port} dbname=msgctl
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${own}/users.txt
pool_mode = ${mode}
default_pool_size = 60
max_client_conn = 200
admin_users = msgctl
logfile = ${own}/log
`,
  )
  const account = asPostgres()
  if (account.uid !== undefined) {
    for (const each of [folder, own]) chownSync(each, account.uid, account.gid)
  }
  const running = start('pgbouncer', [file], account)
  const url = `postgres://msgctl:msgctl@127.0.0.1:${port}/msgctl`
  await until('PgBouncer', () => call('psql', [url, '-Atqc', 'select 1']).trim() === '1')
  return { url, stop: () => running.stop('SIGINT') }
}

/**
 * @param {string} packed
 * @param {NodeJS.ProcessEnv} env
 * @param {number} texts
 */
async function sendThrough(packed, env, texts) {
  const organization = createOrganization(packed, env)
  const api = await startProcess(packed, env, 'api')
  const worker = await startProcess(packed, env, 'worker')
  try {
    const client = clientOf(api.address, organization.apiKey)
    await addNumber(api.address, organization)
    await sendAndWait(client, texts)
  } finally {
    await api.stopWell()
    await worker.stopWell()
  }
}

/**
 * Sends through PgBouncer in session mode, and in transaction mode with DATABASE_PREPARED=0, which `check` asks for.
 *
 * @param {Context} context
 * @param {string} databaseUrl
 * @param {Postgres} postgres
 */
export async function pooled({ folder, packed }, databaseUrl, postgres) {
  const env = settings(folder, databaseUrl, { DATABASE_POOL: '10' })
  operate(packed, env, 'migrate')
  const session = await startPooler(folder, 'session', postgres)
  try {
    await sendThrough(packed, { ...env, DATABASE_URL: session.url, DATABASE_URL_FILE: undefined }, 25)
  } finally {
    await session.stop()
  }
  const transaction = await startPooler(folder, 'transaction', postgres)
  try {
    const through = { ...env, DATABASE_URL: transaction.url, DATABASE_URL_FILE: undefined }
    const said = checkFails(packed, through)
    if (!said.includes('DATABASE_PREPARED=0')) throw refusal(`check printed\n${said}`)
    const plain = { ...through, DATABASE_PREPARED: '0' }
    const statements = checkFails(packed, plain).match(/alter role [^;]*;/g) ?? []
    postgres.psql('postgres', ...statements)
    // What PgBouncer holds open began with the old settings.
    call('psql', [transaction.url.replace(/msgctl$/, 'pgbouncer'), '-Atqc', 'RECONNECT'], { env: process.env })
    operate(packed, plain, 'check')
    await sendThrough(packed, plain, 25)
    return `25 texts in session mode, 25 in transaction mode after ${statements.length} settings that check named`
  } finally {
    await transaction.stop()
  }
}

/**
 * @param {string} packed
 * @param {NodeJS.ProcessEnv} env
 */
function checkFails(packed, env) {
  try {
    operate(packed, env, 'check')
  } catch (error) {
    if (isRefusal(error)) return error.message
    throw error
  }
  throw refusal('check found nothing wrong with a pooler in transaction mode')
}
