// A Postgres of Debian on loopback, as a production installation has one, with the role and the database of the
// service.
import { chownSync, mkdirSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { call, find, freePort, start, until } from './programs.mjs'

/** @typedef {Awaited<ReturnType<typeof startPostgres>>} Postgres */

/**
 * Returns the user of Postgres for root, who may not run it.
 *
 * @returns {{ uid: number, gid: number } | { uid?: undefined, gid?: undefined }}
 */
export function asPostgres() {
  if (process.getuid?.() !== 0) return {}
  /** @param {string} flag */
  const idOf = (flag) => Number(call('id', [flag, 'postgres']).trim())
  return { uid: idOf('-u'), gid: idOf('-g') }
}

/** Returns the folder of the programs of Postgres. */
export function postgresPrograms() {
  return path.dirname(realpathSync(find('initdb') ?? 'initdb'))
}

/**
 * Starts a cluster in `folder` with the settings `options`, by name.
 *
 * @param {string} folder
 * @param {Record<string, string | number>} [options]
 */
export async function startPostgres(folder, options = {}) {
  const account = asPostgres()
  mkdirSync(folder, { recursive: true })
  if (account.uid !== undefined) chownSync(folder, account.uid, account.gid)
  const data = path.join(folder, 'data')
  const where = { ...account, cwd: folder }
  call('initdb', ['-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8'], where)
  const port = await freePort()
  const settings = { port, listen_addresses: '127.0.0.1', unix_socket_directories: '', fsync: 'on', ...options }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = start('postgres', ['-D', data, ...args], where)
  /**
   * @param {string} database
   * @param {string[]} statements
   */
  const psql = (database, ...statements) =>
    call('psql', [
      ...['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', '-d', database, '-v', 'ON_ERROR_STOP=1', '-Atq'],
      ...statements.flatMap((statement) => ['-c', statement]),
    ]).trim()
  await until('Postgres', () => psql('postgres', 'select 1') === '1')
  psql('postgres', `create role msgctl login password 'msgctl'`)
  /** @param {string} database */
  const url = (database) => `postgres://msgctl:msgctl@127.0.0.1:${port}/${database}`
  return {
    port,
    data,
    psql,
    url,
    program: find,
    /** @param {string} name */
    createDatabase(name) {
      psql('postgres', `create database ${name} owner msgctl`)
      return url(name)
    },
    async stop() {
      await server.stop('SIGINT')
    },
  }
}
