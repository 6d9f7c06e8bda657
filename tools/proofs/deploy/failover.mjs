// The leader of a Postgres pair is killed again and again under load: nothing that was confirmed may be lost or sent
// twice.
import { setTimeout as wait } from 'node:timers/promises'
import { MessagingError } from '@msgctl/client'
import { messageOf, refusal } from '../../scripts/process.mjs'
import { startCluster } from './cluster.mjs'
import { until } from './programs.mjs'
import { addNumber, clientOf, createOrganization, operate, settings, startProcess } from './service.mjs'

/** @import { Cluster } from './cluster.mjs' */
/** @import { Context, ServiceProcess } from './service.mjs' */

/** @typedef {ReturnType<typeof startBatches>} Load */

const kills = Number(process.env.FAILOVERS ?? 3)
const mostSeconds = 30
/** 50 texts a second. */
const perBatch = 20
const everyMs = 400

/**
 * Sends a batch each 400 ms. A batch is repeated with its key until the service has confirmed it.
 *
 * @param {string} address
 * @param {string} apiKey
 */
function startBatches(address, apiKey) {
  const client = clientOf(address, apiKey)
  /** @type {Map<string, number>} */
  const confirmed = new Map()
  const running = new Set()
  /** @type {string[]} */
  const unexpected = []
  let made = 0
  let repeats = 0
  let lastConfirmedStart = 0
  /** @param {number} n */
  async function send(n) {
    const recipients = Array.from({ length: perBatch }, (_, each) => `1202555${String(3000 + each)}`)
    for (;;) {
      const begun = performance.now()
      try {
        const { messages } = await client.alert.batch(
          { recipients, message: `batch ${n}` },
          { idempotencyKey: `batch-${n}`, timeoutMs: 5000 },
        )
        for (const { messageId } of messages) confirmed.set(messageId, n)
        lastConfirmedStart = Math.max(lastConfirmedStart, begun)
        return
      } catch (error) {
        repeats += 1
        // What the outage of a database may cause; anything else is a fault.
        if (error instanceof MessagingError && error.status !== undefined && error.status < 500 && error.status !== 409)
          unexpected.push(`${error.status} ${error.code}`)
        await wait(250)
      }
    }
  }
  const timer = setInterval(() => {
    made += 1
    const done = send(made).finally(() => running.delete(done))
    running.add(done)
  }, everyMs)
  return {
    confirmed,
    unexpected,
    repeats: () => repeats,
    /** @param {number} time */
    isServedSince: (time) => lastConfirmedStart > time,
    async stop() {
      clearInterval(timer)
      await Promise.all(running)
      return made
    },
  }
}

/**
 * Kills the leader, and returns the seconds until a request that began after the kill was confirmed.
 *
 * @param {Cluster} cluster
 * @param {Load} load
 */
async function killLeader(cluster, load) {
  const leader = await cluster.leader()
  if (!leader) throw refusal('No node leads')
  const killedAt = performance.now()
  await leader.kill()
  await until('A confirmed batch', () => load.isServedSince(killedAt), 60_000)
  const seconds = (performance.now() - killedAt) / 1000
  leader.start()
  await cluster.healthy()
  return seconds
}

/**
 * Judges what the service stored and the network received of the confirmed texts.
 *
 * @param {Cluster} cluster
 * @param {Load['confirmed']} confirmed
 */
async function judge(cluster, confirmed) {
  /** @param {string} statement */
  const count = (statement) => Number(cluster.psql('msgctl', statement))
  await until(
    'All texts have left',
    () => count(`select count(*) from messages where status in ('queued', 'sending') and not direct`) === 0,
    240_000,
  )
  cluster.psql('msgctl', 'create table if not exists confirmed (id uuid primary key)')
  const ids = [...confirmed.keys()]
  for (let at = 0; at < ids.length; at += 1000) {
    const values = ids.slice(at, at + 1000).map((id) => `('${id}')`)
    cluster.psql('msgctl', `insert into confirmed values ${values.join()}`)
  }
  const lost = count('select count(*) from confirmed c left join messages m using (id) where m.id is null')
  const unsent = count(
    `select count(*) from confirmed join messages using (id) where status not in ('sent', 'delivered', 'read')`,
  )
  const twice = count(`select count(*) from (
    select 1 from sim_messages where direction = 'out' group by container_id, chat, content
      having count(*) > 1) repeated`)
  return { lost, unsent, twice }
}

/**
 * Kills the leader FAILOVERS times under 50 texts a second. Throws when a text is lost or sent twice, or it takes 30 s.
 *
 * @param {Context} context
 */
export async function failOver({ folder, packed }) {
  const cluster = await startCluster(folder)
  /** @type {ServiceProcess[]} */
  const processes = []
  try {
    await cluster.healthy()
    cluster.psql('postgres', `create role msgctl login password 'msgctl'`)
    cluster.psql('postgres', 'create database msgctl owner msgctl')
    const fast = {
      NODE_ENV: 'development',
      UNSAFE_DISABLE_PACING: '1',
      UNSAFE_DISABLE_RATE_LIMIT: '1',
      LOG_LEVEL: 'fatal',
    }
    const env = settings(folder, cluster.url('msgctl'), fast)
    operate(packed, env, 'migrate')
    const organization = createOrganization(packed, env)
    const api = await startProcess(packed, env, 'api')
    processes.push(api)
    for (const services of ['worker', 'worker']) processes.push(await startProcess(packed, env, services))
    await addNumber(api.address, organization)
    const load = startBatches(api.address, organization.apiKey)
    await until('The first batches', () => load.confirmed.size > 100)
    const seconds = []
    for (let n = 0; n < kills; n++) {
      seconds.push(await killLeader(cluster, load))
      if (process.env.FAILOVERS) console.log(`         kill ${n + 1}: ${seconds.at(-1)?.toFixed(1)} s`)
    }
    const made = await load.stop()
    const { lost, unsent, twice } = await judge(cluster, load.confirmed)
    const slowest = Math.max(...seconds)
    const seen =
      `${kills} kills of the leader, ${load.confirmed.size} texts in ${made} batches (${load.repeats()} ` +
      `repeats): ${lost} lost, ${unsent} unsent, ${twice} twice; recovery ${Math.min(...seconds).toFixed(1)} to ` +
      `${slowest.toFixed(1)} s`
    if (load.unexpected.length > 0) throw refusal(`${seen}; unexpected: ${load.unexpected.slice(0, 5).join(', ')}`)
    if (lost + unsent + twice > 0 || slowest > mostSeconds) throw refusal(seen)
    return seen
  } catch (error) {
    throw refusal(
      `${messageOf(error)}\n${cluster.outputs()}\n${processes.map((each) => each.output().slice(-2000)).join('')}`,
    )
  } finally {
    for (const each of processes) await each.stop('SIGKILL')
    await cluster.stop()
  }
}
