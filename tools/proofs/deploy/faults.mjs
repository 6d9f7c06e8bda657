// Faults of the service, each with the alerts that it fires.
import { setTimeout as wait } from 'node:timers/promises'
import { holdLock } from './locks.mjs'
import { until } from './programs.mjs'

/** @import { MessagingClient } from '@msgctl/client' */
/** @import { Postgres } from './postgres.mjs' */
/** @import { ServiceProcess, startGatewayHost } from './service.mjs' */

/**
 * The service that a fault is brought to.
 *
 * @typedef {object} Service
 * @property {ServiceProcess[]} apis
 * @property {ServiceProcess[]} workers
 * @property {Awaited<ReturnType<typeof startGatewayHost>>} host A gateway host without a number.
 * @property {(...args: string[]) => string} operate Runs a command of operators.
 * @property {MessagingClient} client
 * @property {string} containerId Its only number.
 * @property {string} databaseUrl
 * @property {Postgres['psql']} psql
 * @property {(call: string, body?: object) => Promise<void>} sim
 */

/**
 * @typedef {object} Fault
 * @property {string[]} alerts The alerts that it fires.
 * @property {(service: Service) => (() => unknown) | Promise<() => unknown>} cause Returns what ends it.
 */

/** A person off the network, one whose texts the network refuses, and one of whom it takes 20 s to accept them. */
const phones = { refused: '12025550111', slow: '12025550150' }

/**
 * Stops a process 800 of 1000 ms, as a machine without CPU does.
 *
 * @param {Service} service
 */
async function starve({ apis }) {
  const [, api] = apis
  if (api === undefined) throw new Error('There is no second API process to stop')
  const { child } = api
  let isOver = false
  const starving = (async () => {
    while (!isOver) {
      child.kill('SIGSTOP')
      await wait(800)
      child.kill('SIGCONT')
      await wait(200)
    }
  })()
  return async () => {
    isOver = true
    await starving
  }
}

/**
 * Locks a table that every request reads, again and again for some seconds.
 *
 * @param {Service} service
 */
async function lockRequests({ databaseUrl }) {
  let isOver = false
  const locking = (async () => {
    while (!isOver) {
      await holdLock(databaseUrl, 'organizations', 4).ended
      await wait(500)
    }
  })()
  return async () => {
    isOver = true
    await locking
  }
}

/**
 * Locks the table of one job for longer than a statement may take.
 *
 * @param {Service} service
 */
async function lockJob({ databaseUrl }) {
  const lock = holdLock(databaseUrl, 'bot_voice_notes', 75)
  return () => lock.stop()
}

/**
 * Sends to a person whose texts the network refuses.
 *
 * @param {Service} service
 */
async function sendRefused({ client }) {
  const timer = setInterval(
    () => void client.alert.send({ phone: phones.refused, message: 'refused' }).catch(() => undefined),
    500,
  )
  return () => clearInterval(timer)
}

/**
 * Switches the host of the only number off.
 *
 * @param {Service} service
 */
async function stopHost({ sim, containerId }) {
  await sim(`numbers/${containerId}/host-down`)
  // Three checks of the supervisor, five seconds apart, the first within a minute.
  const timer = setInterval(() => void sim('clock/advance', { seconds: 60 }).catch(() => undefined), 2000)
  return async () => {
    clearInterval(timer)
    await sim(`numbers/${containerId}/host-up`)
  }
}

/**
 * Refuses every connection to the database, and ends the connections that there are.
 *
 * @param {Service} service
 */
async function closeDatabase({ psql }) {
  psql('postgres', 'alter database msgctl with allow_connections false')
  const timer = setInterval(
    () => psql('postgres', `select pg_terminate_backend(pid) from pg_stat_activity where datname = 'msgctl'`),
    500,
  )
  return () => {
    clearInterval(timer)
    psql('postgres', 'alter database msgctl with allow_connections true')
  }
}

/**
 * Kills all workers, one of them while it hands over a text. Texts, webhooks and a report of a network stay.
 *
 * @param {Service} service
 */
async function killWorkers({ workers, client, sim, psql, containerId }) {
  await until('A number that works', async () => (await client.numbers.status()).status === 'WORKING')
  await client.alert.send({ phone: phones.slow, message: 'being handed over' })
  await until(
    'A text that is being sent',
    () => psql('msgctl', `select count(*) from messages where status = 'sending'`) === '1',
  )
  for (const each of workers) await each.stop('SIGKILL')
  await client.alert.send({ phone: '12025553000', message: 'queued' })
  await client.webhook.test()
  psql(
    'msgctl',
    `insert into gateway_inbox (driver, host, event_id, container_id, organization_id, body)
     select 'direct', 'host', 'event', id, organization_id, '{}' from numbers where id = '${containerId}'`,
  )
  await sim('clock/advance', { seconds: 600 })
  return () => undefined
}

/**
 * Stores the only number as one that its network has banned, which the supervisor leaves alone.
 *
 * @param {Service} service
 */
function banNumber({ psql, containerId }) {
  const where = `where id = '${containerId}'`
  psql('msgctl', `update numbers set status = 'FAILED', status_reason = 'banned' ${where}`)
  return () => psql('msgctl', `update numbers set status = 'WORKING', status_reason = 'linked' ${where}`)
}

/**
 * Stores that the network lets the only number begin no conversation, and writes to strangers.
 *
 * @param {Service} service
 */
function limitNumber({ psql, operate, client, containerId }) {
  operate('guard', 'set', containerId, '--mode', 'on')
  psql('msgctl', `update numbers set blocked_until = service_now() + interval '1 hour' where id = '${containerId}'`)
  let stranger = 4000
  const timer = setInterval(
    () => void client.alert.send({ phone: `1202555${stranger++}`, message: 'held' }).catch(() => undefined),
    1000,
  )
  return () => {
    clearInterval(timer)
    psql('msgctl', `update numbers set blocked_until = null where id = '${containerId}'`)
    operate('guard', 'set', containerId, '--mode', 'off')
  }
}

/**
 * Kills the gateway host.
 *
 * @param {Service} service
 */
async function killHost({ host }) {
  await host.stop('SIGKILL')
  return () => undefined
}

/**
 * Lists an item as one with which workers died.
 *
 * @param {Service} service
 */
function setAside({ psql }) {
  psql(
    'msgctl',
    `insert into suspects (kind, item, lost_processes, lost_at, set_aside_at)
     values ('jobs', 'events.purge', 4, service_now(), service_now())`,
  )
  return () => psql('msgctl', 'delete from suspects')
}

/**
 * The faults, in an order in which each begins with a service that works.
 *
 * @type {Fault[]}
 */
export const faults = [
  { alerts: ['MsgctlEventLoopBusy'], cause: starve },
  { alerts: ['MsgctlSlow'], cause: lockRequests },
  { alerts: ['MsgctlSendsFail'], cause: sendRefused },
  { alerts: ['MsgctlJobFails'], cause: lockJob },
  { alerts: ['MsgctlSetAside'], cause: setAside },
  { alerts: ['MsgctlNumbersLimited'], cause: limitNumber },
  { alerts: ['MsgctlNumbersBanned'], cause: banNumber },
  { alerts: ['MsgctlGatewayHostDown'], cause: killHost },
  { alerts: ['MsgctlDatabaseAway', 'MsgctlServerErrors'], cause: closeDatabase },
  { alerts: ['MsgctlNumbersDown'], cause: stopHost },
  {
    alerts: [
      'MsgctlDown',
      'MsgctlNoDispatcher',
      'MsgctlClaimsLost',
      'MsgctlQueueLate',
      'MsgctlWebhooksLate',
      'MsgctlReportsLate',
    ],
    cause: killWorkers,
  },
]
