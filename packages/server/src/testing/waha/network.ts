import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import type { Driver, GatewaySession } from '@msgctl/network/gateway'
import { newSecretsKeys, openSecrets } from '@msgctl/network/secrets'
import pino from 'pino'
import { expect, onTestFinished } from 'vitest'
import { waha } from '#networks/gateway/waha/driver.ts'
import { filesPath } from '#networks/gateway/waha/file-links.ts'
import { setDraining } from '#networks/gateway/waha/host-store.ts'
import type { SimContext } from '#networks/simulator/context.ts'
import { startClock } from '#platform/db/clock.ts'
import { type Db, rows } from '#platform/db/db.ts'
import { localWake, signalThrough } from '#platform/db/wake.ts'
import { type Metrics, openMetrics } from '#platform/metrics/metrics.ts'
import { readConfig } from '#process/config.ts'
import { eventually } from '#testing/eventually.ts'
import { testSimToken } from '#testing/sim.ts'
import { type FakeWaha, type FakeWahaOptions, startFakeWaha } from './fake-waha.ts'
import { addFakeHost } from './host.ts'

const reportedStatus = 'select reported_status as status from waha_sessions where container_id = :containerId'

/** A driver for WAHA with a fake server and a place for its webhooks. */
export interface WahaNetwork {
  readonly sim: SimContext
  readonly driver: Driver
  readonly fake: FakeWaha
  readonly hostId: string
  readonly metrics: Metrics
  /** Opens the driver of another process, which the test closes. */
  reopen(): Driver
  /** Everything that the driver and the fake logged. */
  log(): string
  newNumber(): GatewaySession
  /** Links a number that shows a QR. */
  link(session: GatewaySession): Promise<void>
}

/** Starts a fake server in front of the simulated network of `db`, and the driver; they end with the test. */
export async function openWahaNetwork(db: Db, options: FakeWahaOptions = {}): Promise<WahaNetwork> {
  const clock = await startClock(db, { followMs: 100 })
  const secrets = openSecrets(newSecretsKeys())
  const lines: string[] = []
  const log = pino(
    { level: 'trace' },
    new Writable({
      write(chunk, _encoding, done) {
        lines.push(String(chunk))
        done()
      },
    }),
  )
  const receiver = createServer()
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const callback = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  const config = readConfig({
    SIM_SPEED: '0',
    SIM_CONTROL: '1',
    SIM_TOKEN: testSimToken,
    GATEWAY_CALLBACK_URL: callback,
  })
  const wake = localWake()
  signalThrough(db, wake)
  const metrics = openMetrics()
  const sim: SimContext = { db, clock, wake, log, config, secrets }
  const fake = await startFakeWaha(sim, { hangMs: 20, ...options })
  const hostId = await addFakeHost(db, secrets, fake)
  const reopen = () => waha({ db, clock, wake, secrets, log, metrics, config })
  const driver = reopen()
  receiver.on('request', async (request, response) => {
    const url = new URL(request.url ?? '/', callback)
    const file = url.pathname.startsWith(filesPath)
      ? driver.ingress?.file?.(url.pathname.slice(filesPath.length))
      : null
    if (file) return void file.bytes().pipe(response)
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const host = url.pathname.split('/').at(-1) ?? ''
    const isAdmitted = await driver.ingress?.admits(host, request.headers)
    const result = isAdmitted
      ? await driver.ingress?.receive(host, Buffer.concat(parts), request.headers).catch(() => 'failed')
      : 'refused'
    response.writeHead(result === 'stored' ? 200 : result === 'refused' ? 401 : 500).end()
  })
  onTestFinished(async () => {
    // Numbers of the next test go to its own server.
    await setDraining(db, fake.url, true)
    await fake.stop()
    await driver.close()
    receiver.closeAllConnections()
    await new Promise((resolve) => receiver.close(resolve))
    clock.stop()
    expect(fake.violations).toEqual([])
  })
  return {
    sim,
    driver,
    fake,
    hostId,
    metrics,
    reopen,
    log: () => lines.join(''),
    newNumber: () => ({ containerId: crypto.randomUUID(), organizationId: crypto.randomUUID() }),
    async link({ containerId }) {
      const response = await fetch(`${fake.url}/sim/numbers/${containerId}/scan`, {
        method: 'POST',
        body: '{}',
        headers: { 'x-sim-token': testSimToken, 'content-type': 'application/json' },
      })
      if (!response.ok) throw new Error(await response.text())
      // Its webhooks come a moment later than what a call reads.
      await eventually(
        () => rows<{ status: string }>(db, reportedStatus, { containerId }),
        ([session]) => session?.status === 'WORKING',
      )
    },
  }
}
