// Rolling restarts of API processes behind a proxy, under a steady load: no request may fail.
import { setTimeout as wait } from 'node:timers/promises'
import { refusal } from '../../scripts/process.mjs'
import { startLoad } from './load.mjs'
import { holdLock } from './locks.mjs'
import { passThrough, readStored } from './passage.mjs'
import { call, freePort, until } from './programs.mjs'
import { addNumber, createOrganization, operate, settings, startProcess } from './service.mjs'

/** @import { ServiceProcess } from './service.mjs' */

/** @typedef {{ address: string, stop: () => Promise<unknown> }} Proxy */
/** @typedef {(ports: number[]) => Promise<Proxy>} StartProxy */

/**
 * @typedef {object} Rolling
 * @property {string} folder
 * @property {string} packed
 * @property {string} databaseUrl
 * @property {string[]} [replacements]
 * @property {string} [schemaOf]
 */

const restarts = 10
/** Longer than any probe of a proxy waits for /readyz. */
const unreadySeconds = 6

/**
 * Restarts two API processes in turn, ten times in all, behind the proxy that `startProxy` starts. Then neither of them
 * is ready for some seconds, although both serve. Returns what was seen; throws when one request failed. Each of
 * `replacements` is a packed version that the processes come back from, ten restarts each; only the first migrates the
 * database, which begins with the schema of `schemaOf`.
 *
 * @param {StartProxy} startProxy
 * @param {Rolling} rolling
 */
export async function rollBehind(
  startProxy,
  { folder, packed, databaseUrl, replacements = [packed], schemaOf = packed },
) {
  const env = settings(folder, databaseUrl, { DRAIN_DELAY_SECONDS: '4' })
  operate(schemaOf, env, 'migrate')
  const organization = createOrganization(packed, env)
  const ports = [await freePort(), await freePort()]
  /** @type {ServiceProcess[]} */
  const apis = []
  const ended = []
  for (const port of ports) apis.push(await startProcess(packed, env, 'api', port))
  let worker = await startProcess(packed, env, 'worker')
  const proxy = await startProxy(ports)
  try {
    await until('The proxy', () => fetch(`${proxy.address}/healthz`).then(({ ok }) => ok))
    await addNumber(proxy.address, organization)
    const passed = await passThrough(proxy.address, organization.apiKey)
    const stored = await readStored(proxy.address, organization.apiKey)
    const load = startLoad(proxy.address, organization.apiKey)
    const sent = []
    for (const version of replacements) {
      const before = sentTexts(databaseUrl)
      if (version === replacements[0] && version !== packed) operate(version, env, 'migrate')
      await worker.stopWell()
      ended.push(worker)
      worker = await startProcess(version, env, 'worker')
      for (let n = 0; n < restarts; n++) {
        const at = n % apis.length
        const old = /** @type {ServiceProcess} */ (apis[at])
        await old.stopWell()
        ended.push(old)
        apis[at] = await startProcess(version, env, 'api', old.port)
        // The proxy needs its next probe to use it again.
        await wait(1500)
      }
      sent.push(sentTexts(databaseUrl) - before)
      const found = await readStored(proxy.address, organization.apiKey)
      if (found !== stored) throw refusal(`What was stored reads differently:\n${stored}\n${found}`)
    }
    // Readiness reads this table, and no request does.
    await holdLock(databaseUrl, 'schema_migrations', unreadySeconds).ended
    await wait(1500)
    const { made, failures } = await load.stop()
    const failed = counted([...failures, ...errorsOf(databaseUrl)])
    if (failed !== '' || sent.includes(0)) {
      const logs = [...ended, ...apis, worker].map((each) => each.output()).join('')
      throw refusal(`${failures.length} of ${made} requests failed, ${sent} texts sent:\n${failed}\n${logs}`)
    }
    const times = replacements.length === 1 ? '' : `${replacements.length} times `
    return (
      `${times}${restarts} rolling restarts, ${unreadySeconds} s without a ready process, 0 of ${made} requests ` +
      `failed, ${sent.join(' and ')} texts sent; ${passed}`
    )
  } finally {
    await proxy.stop()
    for (const each of [...apis, worker]) await each.stop('SIGKILL')
  }
}

/**
 * @param {string} databaseUrl
 * @param {string} statement
 */
const read = (databaseUrl, statement) => call('psql', [databaseUrl, '-Atqc', statement]).trim()

/** @param {string} databaseUrl */
function sentTexts(databaseUrl) {
  return Number(read(databaseUrl, `select count(*) from messages where status in ('sent', 'delivered', 'read')`))
}

/**
 * Returns the errors of messages that failed.
 *
 * @param {string} databaseUrl
 */
function errorsOf(databaseUrl) {
  const errors = read(databaseUrl, `select 'message: ' || error_code from messages where status = 'failed'`)
  return errors.split('\n').filter((line) => line !== '')
}

/**
 * Returns each text with its count.
 *
 * @param {string[]} texts
 */
function counted(texts) {
  const counts = new Map()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].map(([text, count]) => `${count} x ${text.slice(0, 120)}`).join('\n')
}
