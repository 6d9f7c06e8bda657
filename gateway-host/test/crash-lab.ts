import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { GatewayEvent } from '@msgctl/network/gateway'
import { newSecretsKeys, openSecrets } from '@msgctl/network/secrets'
import { direct } from '@msgctl/server/networks/gateway/direct/driver'
import { startClock } from '@msgctl/server/platform/db/clock'
import { startWake } from '@msgctl/server/platform/db/wake'
import { cleanUpAfterFile } from '@msgctl/server/testing/cleanup'
import { testDatabase } from '@msgctl/server/testing/database'
import { scanShown } from '@msgctl/server/testing/direct/scan-shown'
import pino from 'pino'
import { expect } from 'vitest'
import { scanQr } from './network/linking.ts'
import { Network } from './network/network.ts'
import { serveNetwork } from './network/serve.ts'
import { type StartedProcess, startHost } from './start-process.ts'

/** A network in this process, a database, the driver of the server, and hosts that a test starts and kills. */
export async function openLab(options: { readonly leaseSeconds: number }) {
  const { db, url } = await testDatabase()
  const network = new Network({ speed: 0.1 })
  const served = await serveNetwork(network)
  const secretsKeys = newSecretsKeys()
  const clock = await startClock(db, { followMs: 30_000 })
  const wake = startWake(db, url)
  const driver = direct({ db, clock, wake, secrets: openSecrets(secretsKeys), log: pino({ level: 'silent' }) })
  const events: GatewayEvent[] = []
  const unsubscribe = driver.subscribe(async (batch) => void events.push(...batch))
  const hosts = new Set<StartedProcess>()
  cleanUpAfterFile(async () => {
    await Promise.all([...hosts].map((host) => host.end('SIGKILL')))
    await unsubscribe()
    await driver.close()
    await served.close()
    await wake.stop()
    clock.stop()
  })
  const root = Buffer.from(network.identity.root.public).toString('hex')

  /** Starts a host, by default at the database itself. */
  async function newHost(databaseUrl = url): Promise<StartedProcess> {
    const host = await startHost({
      databaseUrl,
      secretsKeys,
      network: { url: served.url, root, certificate: '' },
      env: { GATEWAY_LEASE_SECONDS: String(options.leaseSeconds) },
    })
    hosts.add(host)
    return host
  }

  const session = { containerId: randomUUID(), organizationId: randomUUID() }
  const working = () =>
    expect.poll(async () => (await driver.state(session)).status, { timeout: 30_000 }).toBe('WORKING')

  /** Links the number of the lab. */
  async function link(phone: string): Promise<void> {
    await driver.start(session)
    await expect.poll(async () => (await driver.state(session)).status).toBe('SCAN_QR_CODE')
    await scanShown(
      async () => (await driver.qr(session))?.text ?? '',
      (qr) => scanQr(network, qr, phone),
    )
    await working()
    // The phone shares its keys and history.
    await wait(500)
  }

  /**
   * Sends a text until the network has it, always with the same id, as the queue does. Returns the number of attempts.
   */
  async function sendUntilDone(text: string, digits: string, id = newId()): Promise<number> {
    const to = { kind: 'phone', digits } as const
    for (let attempts = 1; ; attempts++) {
      try {
        await driver.send(session, to, { kind: 'text', text }, { clientId: id, timeoutMs: 3000 })
        return attempts
      } catch (error) {
        if (attempts > 1000) throw error
        await wait(50)
      }
    }
  }

  return { db, url, network, driver, events, session, newHost, link, working, sendUntilDone }
}

/** Makes the id of a message as the service does. */
export function newId(): string {
  return `3EB0${randomBytes(9).toString('hex').toUpperCase()}`
}

type Lab = Awaited<ReturnType<typeof openLab>>

/** Returns how many of these texts no phone shows, and how many it shows more than once. */
export function tally({ network }: Lab, texts: readonly string[]) {
  const shown = new Map<string, number>()
  for (const { message } of network.transcript) {
    const text = message.extendedTextMessage?.text ?? ''
    shown.set(text, (shown.get(text) ?? 0) + 1)
  }
  return {
    lost: texts.filter((text) => !shown.has(text)).length,
    twice: texts.filter((text) => (shown.get(text) ?? 0) > 1).length,
    undecryptable: network.counts.undecryptable,
  }
}
