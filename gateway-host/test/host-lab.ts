import { randomUUID } from 'node:crypto'
import type { GatewayEvent, GatewaySession } from '@msgctl/network/gateway'
import { newSecretsKeys, openSecrets } from '@msgctl/network/secrets'
import { direct } from '@msgctl/server/networks/gateway/direct/driver'
import { startClock } from '@msgctl/server/platform/db/clock'
import { startWake } from '@msgctl/server/platform/db/wake'
import { cleanUpAfterFile } from '@msgctl/server/testing/cleanup'
import { testDatabase } from '@msgctl/server/testing/database'
import { scanShown } from '@msgctl/server/testing/direct/scan-shown'
import pino from 'pino'
import { expect } from 'vitest'
import { startHost, startNetwork } from './start-process.ts'

/** A test network and gateway hosts (default: one) as processes of their own, and the driver of the server. */
export async function openHostLab(env: Record<string, string> = {}, hostCount = 1) {
  const { db, url } = await testDatabase()
  const secretsKeys = newSecretsKeys()
  const secrets = openSecrets(secretsKeys)
  const network = await startNetwork()
  const outputs: string[][] = []
  async function newHost() {
    const host = await startHost({ databaseUrl: url, secretsKeys, network, env })
    outputs.push(host.output)
    return host
  }
  const hosts = await Promise.all(Array.from({ length: hostCount }, newHost))
  const clock = await startClock(db, { followMs: 30_000 })
  const wake = startWake(db, url)
  const driver = direct({ db, clock, wake, secrets, log: pino({ level: 'silent' }) })
  const events: GatewayEvent[] = []
  const unsubscribe = driver.subscribe(async (batch) => void events.push(...batch))
  cleanUpAfterFile(async () => {
    await unsubscribe()
    await driver.close()
    await Promise.all(hosts.map((host) => host.end()))
    await network.end()
    await wake.stop()
    clock.stop()
  })

  /** Kills the last host, and runs `between` before the next one starts. */
  async function replaceHost(between: () => Promise<unknown>): Promise<void> {
    await hosts.pop()?.end('SIGKILL')
    await between()
    hosts.push(await newHost())
  }

  const status = async (session: GatewaySession) => (await driver.state(session)).status
  const becomes = (session: GatewaySession, wanted: string) =>
    expect.poll(() => status(session), { timeout: 30_000 }).toBe(wanted)

  function newSession(): GatewaySession {
    return { containerId: randomUUID(), organizationId: randomUUID() }
  }

  /** Links a number with a phone by its QR. */
  async function link(phone: string, session = newSession()): Promise<GatewaySession> {
    await driver.start(session)
    await becomes(session, 'SCAN_QR_CODE')
    await scanShown(
      async () => (await driver.qr(session))?.text ?? '',
      (qr) => network.network.scan({ qr, phone }),
    )
    await becomes(session, 'WORKING')
    return session
  }

  /** Returns the metrics of each host. */
  async function metricsOfHosts(): Promise<string[]> {
    return Promise.all(hosts.map(async ({ started }) => (await fetch(`${started.metrics}/metrics`)).text()))
  }

  /** Returns the metrics of the first host. */
  async function metrics(): Promise<string> {
    return (await metricsOfHosts())[0] ?? ''
  }

  /** Returns the events of a number of one kind. */
  function eventsOf<Kind extends GatewayEvent['kind']>({ containerId }: GatewaySession, kind: Kind) {
    return events.filter(
      (event): event is Extract<GatewayEvent, { kind: Kind }> =>
        event.kind === kind && event.containerId === containerId,
    )
  }

  return {
    db,
    url,
    secrets,
    net: network.network,
    driver,
    newSession,
    link,
    becomes,
    eventsOf,
    replaceHost,
    metrics,
    metricsOfHosts,
    /** Returns everything that the hosts wrote, to either stream. */
    output: () => outputs.flat().join('\n'),
  }
}
