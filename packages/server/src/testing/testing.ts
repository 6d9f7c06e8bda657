import { products } from '@msgctl/contract'
import { firstKey } from '#api/access/key.ts'
import { hashPassword } from '#api/access/password.ts'
import { insertNumber } from '#numbers/records/store.ts'
import { foundOrganization } from '#people/organizations/create.ts'
import { rows, transaction } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'
import { eventually } from './eventually.ts'
import { startFileServer } from './file-server.ts'
import { samples } from './sample-files.ts'
import { settled } from './settled.ts'
import { testSimToken } from './sim.ts'
import { startTestServer, type TestServer } from './start-server.ts'

/** An organization as the quick start makes it, with an account key and one linked number labelled Demo. */
export interface DemoOrganization {
  readonly apiKey: string
  readonly owner: { readonly email: string; readonly password: string }
  /** The phone of its number, digits only. */
  readonly phone: string
}

/** The whole service for tests of programs that use it over HTTP. Its clock stands still until it is moved. */
export interface ServiceForClients {
  /** Like `http://127.0.0.1:40123`. */
  readonly address: string
  /** Serves small files at /photo.png, /tour.mp4, /menu.pdf and /hello.ogg, and accepts deliveries at /hooks. */
  readonly internet: string
  /** What requests to /sim carry as X-Sim-Token. */
  readonly simToken: string
  /** Service time in milliseconds since 1970. */
  now(): number
  /** Moves the service's clock, then waits until everything that became due is done. */
  advance(ms: number): Promise<void>
  /** Waits until everything that is due now is done. */
  settled(): Promise<void>
  makeOrganization(): Promise<DemoOrganization>
}

const startsAt = '2026-11-01T08:00:00Z'
const password = 'correct horse'
/**
 * People of the simulated network are 14 times as fast as usual: of a message that msgctl waits for, delivery is seen
 * at the first read after the send, and the read receipt at the second.
 */
const simulatorSpeed = '14'

/** Starts the service for the calling test file; it ends after the file's tests. */
export async function startServiceForClients(env: Readonly<Record<string, string>> = {}): Promise<ServiceForClients> {
  const server = await startTestServer({
    env: { SIM_SPEED: simulatorSpeed, SIM_AUTOLINK: '1', CHANGE_LIMIT: 'on', TRUSTED_PROXIES: '127.0.0.1', ...env },
  })
  const { db, services } = server
  await rows(db, 'update service_clock set frozen_at = :startsAt::timestamptz', { startsAt })
  await services.clock.sync()
  const passwordHash = await hashPassword(password)
  // Numbers that are linked together wait for the simulated network only once.
  const stock: DemoOrganization[] = []
  let batchSize = 1
  const service: ServiceForClients = {
    address: server.address,
    internet: await startInternet(),
    simToken: testSimToken,
    now: () => services.clock.now().getTime(),
    async advance(ms) {
      await server.advance(ms / 1000)
      await settled(db)
    },
    settled: () => settled(db),
    async makeOrganization() {
      if (stock.length === 0) {
        stock.push(...(await makeDemos(server, passwordHash, { count: batchSize, advance: service.advance })))
        batchSize = Math.min(largestBatch, batchSize * 2)
      }
      return stock.pop() as DemoOrganization
    },
  }
  return service
}

async function startInternet(): Promise<string> {
  const files = await startFileServer()
  files.serve('/photo.png', samples.png)
  files.serve('/tour.mp4', samples.mp4)
  files.serve('/menu.pdf', samples.pdf)
  files.serve('/hello.ogg', samples.opus)
  files.on('/hooks', (response) => response.writeHead(200).end())
  return files.address
}

const largestBatch = 32
let organizations = 0

interface Batch {
  readonly count: number
  advance(ms: number): Promise<void>
}

async function makeDemos(server: TestServer, passwordHash: string, { count, advance }: Batch) {
  const made = await Promise.all(Array.from({ length: count }, () => makeDemo(server, passwordHash)))
  // The simulated phones scan the QR by themselves.
  await advance(1000)
  const ids = made.map(({ containerId }) => containerId)
  const linked = await eventually(
    () => rows<LinkedNumber>(server.db, linkedNumbers, { ids }),
    (numbers) => numbers.length === count,
  )
  const phones = new Map(linked.map(({ id, phone }) => [id, phone]))
  return made.map(({ containerId, ...demo }) => ({ ...demo, phone: phones.get(containerId) ?? '' }))
}

interface LinkedNumber {
  readonly id: string
  readonly phone: string
}

const linkedNumbers = `select id, phone_number as phone from numbers where id = any(:ids::uuid[])
  and status = 'WORKING'`

async function makeDemo({ db, services }: TestServer, passwordHash: string) {
  organizations += 1
  const owner = { email: `ada-${organizations}@example.com`, password }
  const containerId = newId()
  const made = await transaction(db, async (trx) => {
    const founded = await foundOrganization(trx, {
      organizationName: 'Demo',
      products,
      granted: true,
      owner: { name: 'Ada', email: owner.email, passwordHash },
    })
    if (!founded) return undefined
    const { organizationId } = founded
    await insertNumber(trx, {
      id: containerId,
      organizationId,
      gateway: services.config.gateway,
      label: 'Demo',
      instanceName: `number-${containerId}`,
    })
    const key = await firstKey(trx, organizationId, null)
    return key && { organizationId, apiKey: key.apiKey }
  })
  if (!made) throw new Error('the organization could not be made')
  const session = { containerId, organizationId: made.organizationId }
  await services.gateway.ensure(session)
  await services.gateway.start(session)
  return { apiKey: made.apiKey, owner, containerId }
}
