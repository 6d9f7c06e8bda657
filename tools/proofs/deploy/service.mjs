// The packed service as processes of their own, as an installation runs it.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { MessagingClient } from '@msgctl/client'
import { AdminClient } from '@msgctl/client/admin'
import { refusal } from '../../scripts/process.mjs'
import { call, freePort, start, until } from './programs.mjs'

/** @typedef {Awaited<ReturnType<typeof startProcess>>} ServiceProcess */

/** @typedef {{ folder: string, packed: string }} Context The folder of a run, and the packed service that is tested. */

/**
 * A new organization, as `org create --json` prints it.
 *
 * @typedef {object} Organization
 * @property {string} organizationId
 * @property {string} apiKey
 * @property {{ email: string, password: string }} owner
 */

/**
 * The settings of all processes, with the secrets in files.
 *
 * @param {string} folder
 * @param {string} databaseUrl
 * @param {NodeJS.ProcessEnv} [more]
 * @returns {NodeJS.ProcessEnv}
 */
export function settings(folder, databaseUrl, more = {}) {
  const secrets = mkdtempSync(path.join(folder, 'secrets-'))
  /**
   * @param {string} name
   * @param {string} value
   */
  const keep = (name, value) => {
    const file = path.join(secrets, name)
    writeFileSync(file, `${value}\n`, { mode: 0o600 })
    return file
  }
  return {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    GATEWAY: 'simulator',
    SIM_AUTOLINK: '1',
    SIM_SPEED: '0',
    DATABASE_URL_FILE: keep('database-url', databaseUrl),
    SECRETS_KEYS_FILE: keep('secrets-keys', `1:${randomBytes(32).toString('base64')}`),
    TRUSTED_PROXIES: '127.0.0.1',
    LOG_LEVEL: 'warn',
    ...more,
  }
}

/** @param {string} packed */
const program = (packed) => path.join(packed, 'bin/msgctl-server.mjs')

/**
 * Runs a command of operators.
 *
 * @param {string} packed
 * @param {NodeJS.ProcessEnv} env
 * @param {string[]} args
 */
export function operate(packed, env, ...args) {
  return call(process.execPath, [program(packed), ...args], { env })
}

/**
 * Starts one process of the service, and waits until it is ready.
 *
 * @param {string} packed
 * @param {NodeJS.ProcessEnv} env
 * @param {string} services
 * @param {number | null} [port]
 */
export async function startProcess(packed, env, services, port = null) {
  const metricsPort = await freePort()
  const apiPort = port ?? (await freePort())
  const own = { SERVICES: services, PORT: String(apiPort), METRICS_PORT: String(metricsPort) }
  const running = start(process.execPath, [program(packed)], { env: { ...env, ...own } })
  const metrics = `http://127.0.0.1:${metricsPort}`
  const process_ = {
    ...running,
    port: apiPort,
    metrics,
    address: `http://127.0.0.1:${apiPort}`,
    /** Ends it as systemd does, and demands that it ends well. */
    async stopWell() {
      const code = await running.stop('SIGTERM')
      if (code !== 0) throw refusal(`A process ended with ${code}:\n${running.output()}`)
    },
  }
  await until(`A process (${services})`, () => fetch(`${metrics}/readyz`).then(({ ok }) => ok), 90_000).catch(
    (error) => {
      running.child.kill('SIGKILL')
      throw refusal(`${error.message}\n${running.output()}`)
    },
  )
  return process_
}

/**
 * Starts the packed gateway host, and waits until it responds.
 *
 * @param {string} packed
 * @param {NodeJS.ProcessEnv} env
 */
export async function startGatewayHost(packed, env) {
  const metrics = `127.0.0.1:${await freePort()}`
  // With a version of its own it fetches none: the proof needs no network.
  const own = { GATEWAY_METRICS_LISTEN: metrics, GATEWAY_WEB_VERSION: '2.3000.1043857760' }
  const program = path.join(packed, 'gateway-host/dist/src/main.js')
  const running = start(process.execPath, [program], { env: { ...env, ...own } })
  await until('A gateway host', () => fetch(`http://${metrics}/healthz`).then(({ ok }) => ok)).catch((error) => {
    running.child.kill('SIGKILL')
    throw refusal(`${error.message}\n${running.output()}`)
  })
  return { ...running, metrics: `http://${metrics}` }
}

/**
 * Creates an organization, and returns it with its account key and the password of its owner.
 *
 * @param {string} packed
 * @param {NodeJS.ProcessEnv} env
 * @param {string} [name]
 * @returns {Organization}
 */
export function createOrganization(packed, env, name = 'Deployed') {
  const email = `${randomBytes(6).toString('hex')}@example.com`
  const words = ['--name', name, '--owner-email', email, '--owner-name', 'Ada', '--json']
  return JSON.parse(operate(packed, env, 'org', 'create', ...words))
}

/**
 * Signs the owner of an organization in. Returns a client that acts as that person.
 *
 * @param {string} address
 * @param {Pick<Organization, 'owner'>} organization
 */
export async function signIn(address, { owner }) {
  const { email, password } = owner
  const signedIn = await new AdminClient({ baseUrl: address }).auth.signIn({ email, password })
  if (!('token' in signedIn)) throw refusal('The owner needs a second factor')
  return new MessagingClient({ baseUrl: address, token: signedIn.token })
}

/**
 * Returns a client that makes each request once.
 *
 * @param {string} address
 * @param {string} apiKey
 */
export function clientOf(address, apiKey) {
  return new MessagingClient({ baseUrl: address, apiKey, maxRetries: 0 })
}

/**
 * Adds a number as the owner, which the simulated network links by itself.
 *
 * @param {string} address
 * @param {Organization} organization
 */
export async function addNumber(address, organization) {
  const client = await signIn(address, organization)
  await client.numbers.create({ label: 'Front desk' })
  await until('A linked number', async () => (await client.numbers.list()).sessions.some(({ connected }) => connected))
}

/**
 * Sends texts, and waits until the network has delivered all of them.
 *
 * @param {MessagingClient} client
 * @param {number} count
 */
export async function sendAndWait(client, count) {
  const recipients = Array.from({ length: count }, (_, n) => `1202555${3000 + n}`)
  await client.alert.batch({ recipients, message: 'deployed' })
  await until('Delivered texts', async () => {
    const { messages } = await client.messages.list({ limit: 100 })
    return messages.filter(({ status }) => status === 'delivered' || status === 'read').length >= count
  })
}

/**
 * Starts a process of each kind on an empty database, with an organization that has sent five texts.
 *
 * @param {string} packed
 * @param {NodeJS.ProcessEnv} env
 * @param {string} [webhookUrl] Receives the events of the organization.
 */
export async function startAll(packed, env, webhookUrl) {
  operate(packed, env, 'migrate')
  const organization = createOrganization(packed, env)
  const api = await startProcess(packed, env, 'api')
  const worker = await startProcess(packed, env, 'worker')
  const host = await startGatewayHost(packed, env)
  const client = clientOf(api.address, organization.apiKey)
  try {
    await addNumber(api.address, organization)
    if (webhookUrl !== undefined) await client.webhook.set({ webhookUrl })
    await sendAndWait(client, 5)
  } catch (error) {
    for (const each of [api, worker, host]) await each.stop('SIGKILL')
    throw error
  }
  return { organization, api, worker, host, client }
}
