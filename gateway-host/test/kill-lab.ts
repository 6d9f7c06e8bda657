import { setTimeout as wait } from 'node:timers/promises'
import { MessagingClient } from '@msgctl/client'
import { newSecretsKeys } from '@msgctl/network/secrets'
import { setExtraNumbers } from '@msgctl/server/people/organizations/settings'
import { rows } from '@msgctl/server/platform/db/db'
import { cleanUpAfterFile } from '@msgctl/server/testing/cleanup'
import { testDatabase } from '@msgctl/server/testing/database'
import { scanShown } from '@msgctl/server/testing/direct/scan-shown'
import { makeOrganization, makeToken } from '@msgctl/server/testing/make'
import { serveDatabase } from '@msgctl/server/testing/start-server'
import { buildServer } from '@msgctl/server/testing/worker-process'
import { expect } from 'vitest'
import { freePort, type PartKind, startPart } from './kill-parts.ts'
import { scanQr } from './network/linking.ts'
import { Network } from './network/network.ts'
import { serveNetwork } from './network/serve.ts'

/** The processes of the service. */
const kinds: readonly PartKind[] = ['api', 'worker', 'worker', 'host', 'host', 'host']

/** A whole service of several processes over a test network, with an organization whose numbers share what it sends. */
export async function openService(numberCount: number) {
  await buildServer()
  const { db, url } = await testDatabase()
  const network = new Network({ speed: 1 })
  const served = await serveNetwork(network)
  const secretsKeys = newSecretsKeys()
  const port = await freePort()
  const env = {
    NODE_ENV: 'test',
    GATEWAY: 'direct',
    SECRETS_KEYS: secretsKeys,
    UNSAFE_DISABLE_PACING: 'true',
    UNSAFE_DISABLE_RATE_LIMIT: 'true',
    GUARD: 'off',
  }
  const host = {
    SECRETS_KEYS: secretsKeys,
    DATABASE_URL: url,
    GATEWAY_NETWORK_URL: served.url,
    GATEWAY_NETWORK_ROOT: Buffer.from(network.identity.root.public).toString('hex'),
    GATEWAY_LEASE_SECONDS: '10',
  }
  const service = { ...env, DATABASE_URL: url, LOG_LEVEL: 'info' }
  const settings: Record<PartKind, Record<string, string>> = {
    api: { ...service, SERVICES: 'api', PORT: String(port) },
    worker: { ...service, SERVICES: 'worker', PORT: '0', METRICS_PORT: '0' },
    host,
  }
  const setup = await serveDatabase(db, url, { env, worker: false })
  cleanUpAfterFile(() => setup.stop())
  const organization = await makeOrganization(setup)
  await setExtraNumbers(db, organization.organizationId, numberCount, null)
  const owner = setup.client({ token: await makeToken(setup, organization) })
  const output: string[] = []
  const parts = kinds.map((kind) => startPart(kind, settings[kind], (line) => output.push(line)))
  cleanUpAfterFile(async () => {
    await Promise.all(parts.map((part) => part.end()))
    await served.close()
  })
  const client = new MessagingClient({
    baseUrl: `http://127.0.0.1:${port}/api/v1`,
    apiKey: organization.apiKey,
    maxRetries: 0,
    timeoutMs: 5000,
  })
  await expect.poll(() => parts.every(({ isUp }) => isUp), { timeout: 60_000 }).toBe(true)

  /** Adds a number and links it by its QR. */
  async function link(n: number): Promise<{ containerId: string; phone: string }> {
    const phone = `1555444${String(n).padStart(4, '0')}`
    const { session } = await owner.numbers.create({ label: `Number ${n}` })
    const containerId = session.id
    const status = async () => (await client.numbers.status({ containerId })).status
    await expect.poll(status, { timeout: 90_000 }).toBe('SCAN_QR_CODE')
    await scanShown(
      async () => {
        const shown = await client.numbers.qr({ containerId, format: 'raw' })
        return shown.status === 'SCAN_QR_CODE' && 'text' in shown.qr ? shown.qr.text : ''
      },
      (qr) => scanQr(network, qr, phone),
    )
    await expect.poll(status, { timeout: 90_000 }).toBe('WORKING')
    return { containerId, phone }
  }
  const numbers = []
  for (let n = 0; n < numberCount; n++) numbers.push(await link(n))
  await owner.numbers.setSendGroup({
    enabled: true,
    containerIds: numbers.map(({ containerId }) => containerId),
    mode: 'share',
  })

  /** Repeats a request with its key until it has a response, while the API is killed under it. */
  async function sendBatch(key: string, message: string, recipients: readonly string[]): Promise<void> {
    for (let attempts = 1; ; attempts++) {
      try {
        await client.alert.batch({ message, recipients: [...recipients] }, { idempotencyKey: key })
        return
      } catch (error) {
        if (attempts > 3000) throw error
        await wait(200)
      }
    }
  }

  /** Returns the network ids of messages that people wrote, as the chats have them. */
  async function readInbound(): Promise<string[]> {
    const found = await rows<{ id: string }>(
      db,
      `select network_id as id from chat_messages where direction = 'in' and network_id is not null`,
    )
    return found.map(({ id }) => id)
  }

  /** Returns how many messages are in each status. */
  async function countStatuses(): Promise<Record<string, number>> {
    const found = await rows<{ status: string; count: number }>(
      db,
      'select status, count(*)::int as count from messages group by status',
    )
    return Object.fromEntries(found.map(({ status, count }) => [status, count]))
  }

  return { db, network, parts, numbers, output, sendBatch, readInbound, countStatuses }
}
