// Two nodes of Postgres under Patroni, with etcd and HAProxy of Debian, all on loopback.
import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { refusal, root } from '../../scripts/process.mjs'
import { asPostgres, postgresPrograms } from './postgres.mjs'
import { call, freePort, start, until } from './programs.mjs'

/** @typedef {Awaited<ReturnType<typeof makeNode>>} PostgresNode */
/** @typedef {Awaited<ReturnType<typeof startCluster>>} Cluster */
/** @typedef {{ members: { name: string, state: string, role: string }[] }} ClusterState */

/** @param {string} name */
const deploy = (name) => readFileSync(path.join(root, 'deploy/postgres', name), 'utf8')

/**
 * @param {string} folder
 * @param {string} name
 */
function ownFolder(folder, name) {
  const own = path.join(folder, name)
  const { uid, gid } = asPostgres()
  mkdirSync(own)
  if (uid !== undefined) chownSync(own, uid, gid)
  return own
}

/** @param {string} folder */
async function startEtcd(folder) {
  const client = `http://127.0.0.1:${await freePort()}`
  const peer = `http://127.0.0.1:${await freePort()}`
  const running = start('etcd', [
    ...['--name', 'one', '--data-dir', path.join(folder, 'etcd'), '--initial-cluster', `one=${peer}`],
    ...['--listen-client-urls', client, '--advertise-client-urls', client],
    ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
  ])
  await until('etcd', () => fetch(`${client}/health`).then(({ ok }) => ok))
  return { host: new URL(client).host, running }
}

/**
 * Returns a node that deploy/postgres/patroni.yml configures; only its addresses, folders and passwords are others.
 *
 * @param {string} folder
 * @param {string} name
 * @param {{ host: string }} etcd
 */
async function makeNode(folder, name, etcd) {
  const own = ownFolder(folder, name)
  const [port, api] = [await freePort(), await freePort()]
  const file = path.join(own, 'patroni.yml')
  const data = path.join(own, 'data')
  const text = deploy('patroni.yml')
    .replace('name: node1', `name: ${name}`)
    .replace('10.0.0.11:2379,10.0.0.12:2379,10.0.0.13:2379', etcd.host)
    .replaceAll('10.0.0.21:8008', `127.0.0.1:${api}`)
    .replaceAll('10.0.0.21:5432', `127.0.0.1:${port}`)
    .replaceAll('10.0.0.0/24 scram-sha-256', '127.0.0.1/32 trust')
    .replace('/usr/lib/postgresql/15/bin', postgresPrograms())
    .replace('/var/lib/postgresql/15/msgctl', data)
    .replace('/var/lib/postgresql/.pgpass-patroni', path.join(own, 'pgpass'))
    .replace('/var/run/postgresql', own)
  writeFileSync(file, text)
  const env = { PATH: process.env.PATH, HOME: own }
  const begin = () => start('patroni', [file], { ...asPostgres(), cwd: own, env })
  let running = begin()
  return {
    name,
    port,
    api: `http://127.0.0.1:${api}`,
    data,
    start() {
      running = begin()
    },
    /** Ends Patroni and Postgres of the node as a loss of power does. */
    async kill() {
      const postmaster = Number(readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n')[0])
      running.child.kill('SIGKILL')
      process.kill(postmaster, 'SIGKILL')
      await running.ended
    },
    stop: () => running.stop('SIGINT'),
    output: () => running.output(),
  }
}

/**
 * @param {string} folder
 * @param {PostgresNode[]} nodes
 */
async function startProxy(folder, nodes) {
  const port = await freePort()
  let text = deploy('haproxy.cfg').replace('bind 127.0.0.1:5432', `bind 127.0.0.1:${port}`)
  nodes.forEach((node, n) => {
    text = text.replace(`10.0.0.2${n + 1}:5432 port 8008`, `127.0.0.1:${node.port} port ${new URL(node.api).port}`)
  })
  const file = path.join(folder, 'haproxy-postgres.cfg')
  writeFileSync(file, text)
  call('haproxy', ['-c', '-f', file])
  return { port, running: start('haproxy', ['-f', file]) }
}

/**
 * Starts the pair. Returns its one address, and what tests do to it.
 *
 * @param {string} folder
 */
export async function startCluster(folder) {
  const own = ownFolder(folder, 'cluster')
  const etcd = await startEtcd(own)
  const first = await makeNode(own, 'node1', etcd)
  const nodes = [first]
  /** @param {PostgresNode} node */
  const isLeader = (node) =>
    fetch(`${node.api}/primary`).then(
      ({ ok }) => ok,
      () => false,
    )
  await until('The first node', () => isLeader(first), 300_000).catch((error) => {
    throw refusal(`${error.message}\n${first.output()}`)
  })
  nodes.push(await makeNode(own, 'node2', etcd))
  const proxy = await startProxy(own, nodes)
  /**
   * @param {string} database
   * @param {string} statement
   */
  const psql = (database, statement) =>
    call('psql', [
      ...['-h', '127.0.0.1', '-p', String(proxy.port), '-U', 'postgres', '-d', database, '-v', 'ON_ERROR_STOP=1'],
      ...['-Atqc', statement],
    ]).trim()
  return {
    psql,
    /** @param {string} database */
    url: (database) => `postgres://msgctl:msgctl@127.0.0.1:${proxy.port}/${database}`,
    /** Returns the node that leads, or undefined. */
    async leader() {
      const leads = await Promise.all(nodes.map(isLeader))
      return nodes.find((_, n) => leads[n])
    },
    /** Waits until one node leads and the other has everything that the first confirms. */
    async healthy() {
      await until(
        'A leader with a synchronous standby',
        async () => {
          const response = await fetch(`${first.api}/cluster`)
          const { members } = /** @type {ClusterState} */ (await response.json())
          const running = members.filter(({ state }) => state === 'running' || state === 'streaming')
          const roles = running.map(({ role }) => role).sort()
          const leading = running.find(({ role }) => role === 'leader')
          const leader = nodes.find(({ name }) => name === leading?.name)
          return roles.join() === 'leader,sync_standby' && leader !== undefined && (await isLeader(leader))
        },
        300_000,
      )
    },
    async stop() {
      for (const node of nodes) await node.stop()
      await proxy.running.stop('SIGKILL')
      await etcd.running.stop('SIGKILL')
    },
    outputs: () => nodes.map(({ name, output }) => `${name}:\n${output().slice(-3000)}`).join('\n'),
  }
}
