import { MessagingClient } from '@msgctl/client'
import { newSecretsKeys } from '@msgctl/network/secrets'
import { connect, type Db } from '../../../packages/server/src/platform/db/db.ts'
import { cleanUpAfterFile } from '../../../packages/server/src/testing/cleanup.ts'
import { type CrashingPostgres, startCrashingPostgres } from '../../../packages/server/src/testing/crashing-postgres.ts'
import {
  idOf,
  type Received,
  type Receiver,
  startReceiver,
} from '../../../packages/server/src/testing/features/receiver.ts'
import { makeNumber, makeOrganization, makeToken } from '../../../packages/server/src/testing/make.ts'
import { testSimToken } from '../../../packages/server/src/testing/sim.ts'
import { serveDatabase } from '../../../packages/server/src/testing/start-server.ts'
import type { FakeWaha } from '../../../packages/server/src/testing/waha/fake-waha.ts'
import {
  type FakeWahaUser,
  useFakeWaha,
  wahaEnvironment,
} from '../../../packages/server/src/testing/waha/test-gateway.ts'
import { buildServer } from '../../../packages/server/src/testing/worker-process.ts'
import { type Link, openLink } from './link.ts'
import { type Part, startPart, type Watch } from './part.ts'
import { type LinkName, links, numberCount, type PartName } from './plan.ts'

/** A service of several processes, with a network between every two parts, and what tests use from outside. */
export interface ChaosEnvironment {
  readonly postgres: CrashingPostgres
  /** Straight to the database, past every fault but its restart. */
  readonly db: Db
  readonly links: Readonly<Record<LinkName, Link>>
  readonly parts: readonly Part[]
  readonly watch: Watch
  readonly organizationId: string
  /** One for each API, through the network of the clients. */
  readonly clients: readonly MessagingClient[]
  /** Where each API is reached through the network of the clients, like `http://127.0.0.1:40123`. */
  readonly addresses: readonly string[]
  readonly numbers: readonly string[]
  readonly receiver: Receiver
  /** The fake WAHA server that the numbers are linked through; null over the simulator. */
  readonly waha: FakeWaha | null
}

const usualEnv = {
  NODE_ENV: 'test',
  SECRETS_KEYS: newSecretsKeys(),
  SIM_CONTROL: '1',
  SIM_TOKEN: testSimToken,
  SIM_SPEED: '0',
  UNSAFE_DISABLE_RATE_LIMIT: 'true',
  // Guard rules would hold most of thousands of messages to new people.
  GUARD: 'off',
  ALLOW_PRIVATE_TARGETS: '127.0.0.1/32',
}
type Environment = Readonly<Record<string, string>>

const clientTimeoutMs = 5000

/** The chat network that the service runs over. */
export type ChaosNetwork = 'simulator' | 'waha'

/** Webhooks are late, overtake each other and come twice. */
const roughRoad = { retryMs: 100, longestRetryMs: 2000, delayMs: 1500, doubled: 0.2 }

/** Starts all of it for the calling test file. */
export async function makeEnvironment(names: readonly PartName[], network: ChaosNetwork): Promise<ChaosEnvironment> {
  await buildServer()
  const env = network === 'waha' ? { ...usualEnv, ...wahaEnvironment } : usualEnv
  const postgres = await startCrashingPostgres()
  cleanUpAfterFile(() => postgres.remove())
  const db = connect(postgres.url, { poolMax: 4 })
  cleanUpAfterFile(() => db.destroy())
  const networks = openLinks()
  const watch: Watch = { complaints: [], reached: new Set(), errors: new Map() }
  const { use, ...organization } = await settleIn(db, postgres.url, env, network)
  const processes = await startParts(names, postgres.url, env, networks, watch)
  const addresses: string[] = []
  for (const part of processes.filter(({ name }) => name.startsWith('api'))) {
    addresses.push(`http://127.0.0.1:${await networks['client-api'].route(part.place)}`)
  }
  const users = await Promise.all(addresses.map((address) => use(address)))
  const clients = addresses.map(
    (address) =>
      new MessagingClient({
        baseUrl: `${address}/api/v1`,
        apiKey: organization.apiKey,
        maxRetries: 0,
        timeoutMs: clientTimeoutMs,
      }),
  )
  return {
    postgres,
    db,
    links: networks,
    parts: processes,
    watch,
    ...organization,
    clients,
    addresses,
    receiver: await startReceiver(refusingSome()),
    waha: users.find((user) => user !== null)?.fake ?? null,
  }
}

function openLinks(): Record<LinkName, Link> {
  const opened = Object.fromEntries(links.map((name) => [name, openLink()])) as Record<LinkName, Link>
  cleanUpAfterFile(() => Promise.all(Object.values(opened).map((link) => link.stop())))
  return opened
}

/** Each half of the service reaches Postgres through a network of its own. */
async function startParts(
  names: readonly PartName[],
  databaseUrl: string,
  env: Environment,
  networks: Record<LinkName, Link>,
  watch: Watch,
): Promise<Part[]> {
  const place = () => ({ port: Number(new URL(databaseUrl).port) })
  const url = { api: new URL(databaseUrl), worker: new URL(databaseUrl) }
  url.api.port = String(await networks['api-postgres'].route(place))
  url.worker.port = String(await networks['worker-postgres'].route(place))
  const started = names.map((name) => {
    const { href } = name.startsWith('api') ? url.api : url.worker
    return startPart(name, { ...env, DATABASE_URL: href }, watch)
  })
  cleanUpAfterFile(() => Promise.all(started.map((part) => part.end())))
  return started
}

/** An organization whose numbers share what it sends. */
async function settleIn(db: Db, url: string, env: Environment, network: ChaosNetwork) {
  const setup = await serveDatabase(db, url, { env, worker: false })
  /** Lets the fake WAHA server, if there is one, send its webhooks to an address. */
  const use = async (address: string): Promise<FakeWahaUser | null> =>
    network === 'waha'
      ? useFakeWaha(db, url, { address, config: setup.services.config }, { road: roughRoad, waitForWebhooks: false })
      : null
  const used = await use(setup.address)
  try {
    const organization = await makeOrganization(setup)
    const numbers: string[] = []
    for (let n = 0; n < numberCount; n++) numbers.push(await makeNumber(setup, organization))
    const owner = setup.client({ token: await makeToken(setup, organization) })
    await owner.numbers.setSendGroup({ enabled: true, containerIds: numbers, mode: 'share' })
    return { ...organization, numbers, use }
  } finally {
    used?.leave()
    await setup.stop()
  }
}

/** Refuses the first attempt of one delivery in ten. */
function refusingSome(): (request: Received) => number {
  const seen = new Set<string>()
  return (request) => {
    const id = idOf(request)
    const isFirst = !seen.has(id)
    seen.add(id)
    return isFirst && Number.parseInt(id.slice(-2), 16) % 10 === 0 ? 503 : 200
  }
}
