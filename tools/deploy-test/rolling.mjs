// Rolling restarts of API processes behind a proxy, under a steady load: no request may fail.
import { setTimeout as wait } from 'node:timers/promises'
import { refusal } from '../scripts/process.mjs'
import { startLoad } from './load.mjs'
import { holdLock } from './locks.mjs'
import { freePort, until } from './programs.mjs'
import { addNumber, createOrganization, operate, settings, startProcess } from './service.mjs'

const restarts = 10
/** Longer than any probe of a proxy waits for /readyz. */
const unreadySeconds = 6

/**
 * Restarts two API processes in turn, ten times in all, behind the proxy that `startProxy` starts. Then neither of them is
 * ready for some seconds, although both serve. Returns what was seen; throws when one request failed. With `replacement` the processes come back from another packed version,
 * and with `schemaOf` the database begins with the schema of another one.
 */
export async function rollBehind(startProxy, { folder, packed, databaseUrl, replacement = packed, schemaOf = packed }) {
  const env = settings(folder, databaseUrl, { DRAIN_DELAY_SECONDS: '4' })
  operate(schemaOf, env, 'migrate')
  const organization = createOrganization(packed, env)
  const ports = [await freePort(), await freePort()]
  const apis = []
  const ended = []
  for (const port of ports) apis.push(await startProcess(packed, env, 'api', port))
  let worker = await startProcess(packed, env, 'worker')
  const proxy = await startProxy(ports)
  try {
    await until('The proxy', () => fetch(`${proxy.address}/healthz`).then(({ ok }) => ok))
    await addNumber(proxy.address, organization)
    const load = startLoad(proxy.address, organization.apiKey)
    if (replacement !== packed) {
      operate(replacement, env, 'migrate')
      await worker.stopWell()
      worker = await startProcess(replacement, env, 'worker')
    }
    for (let n = 0; n < restarts; n++) {
      const at = n % apis.length
      await apis[at].stopWell()
      ended.push(apis[at])
      apis[at] = await startProcess(replacement, env, 'api', ports[at])
      // The proxy needs its next probe to use it again.
      await wait(1500)
    }
    // Readiness reads this table, and no request does.
    await holdLock(databaseUrl, 'schema_migrations', unreadySeconds).ended
    await wait(1500)
    const { made, failures } = await load.stop()
    if (failures.length > 0) {
      const logs = [...ended, ...apis, worker].map((each) => each.output()).join('')
      throw refusal(`${failures.length} of ${made} requests failed:\n${counted(failures)}\n${logs}`)
    }
    return `${restarts} rolling restarts, ${unreadySeconds} s without a ready process, 0 of ${made} requests failed`
  } finally {
    await proxy.stop()
    for (const each of [...apis, worker]) await each.stop('SIGKILL')
  }
}

/** Returns each text with its count. */
function counted(texts) {
  const counts = new Map()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].map(([text, count]) => `${count} x ${text.slice(0, 120)}`).join('\n')
}
