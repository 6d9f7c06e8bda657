import { products } from '@msgctl/contract'
import { firstKey } from '#api/access/key.ts'
import { insertNumber } from '#numbers/records/store.ts'
import { foundOrganization } from '#people/organizations/create.ts'
import { setPlatformAdmin } from '#people/organizations/platform-admin.ts'
import { rows, transaction } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'
import { eventually } from './eventually.ts'
import { copyOrganization, type Original, readNextReports } from './features/demo-copies.ts'
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
  /** Makes the organization of this owner one of the platform's staff, as the operator does. */
  makeStaff(ownerEmail: string): Promise<void>
}

const startsAt = '2026-11-01T08:00:00Z'
const password = 'correct horse'
/** The hash of this password, with the least work: a sign-in takes as much as the hash says. */
const passwordHash = '$argon2id$v=19$m=1024,t=1,p=1$BC/dTurtD1u3OF/Pnyr4sA$145Ic+VFWcRqcStSgptgd1TRZyxW/tiy6TtGIEJG2aI'
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
  // One organization is made as a person makes it. The others are copies.
  let original: Promise<Original & { reports: string }> | undefined
  const stock: DemoOrganization[] = []
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
      original ??= makeOriginal(server, service.advance)
      if (stock.length === 0) {
        const emails = Array.from({ length: copiesAtOnce }, newEmail)
        const copies = await copyOrganization(db, await original, emails)
        stock.push(...copies.map(({ email, ...copy }) => ({ ...copy, owner: { email, password } })))
      }
      return stock.pop() as DemoOrganization
    },
    async makeStaff(ownerEmail) {
      const [found] = await rows<{ id: string }>(
        db,
        `select m.organization_id as id from members m join users u on u.id = m.user_id
          where u.email = :ownerEmail and m.role = 'owner' order by m.created_at limit 1`,
        { ownerEmail },
      )
      await setPlatformAdmin(db, found?.id ?? '', true)
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

const copiesAtOnce = 8
let people = 0

/** As long as any other, so that no column of a table depends on how many people there were before. */
function newEmail(): string {
  people += 1
  return `ada-${String(people).padStart(3, '0')}@example.com`
}

/** Makes an organization that no test gets, with a number that is linked as the network links one. */
async function makeOriginal({ db, services }: TestServer, advance: (ms: number) => Promise<void>) {
  const containerId = newId()
  const made = await transaction(db, async (trx) => {
    const founded = await foundOrganization(trx, {
      organizationName: 'Demo',
      products,
      granted: true,
      owner: { name: 'Ada', email: newEmail(), passwordHash },
    })
    if (!founded) return undefined
    const { organizationId, owner } = founded
    await insertNumber(trx, {
      id: containerId,
      organizationId,
      gateway: services.config.gateway,
      label: 'Demo',
      instanceName: `number-${containerId}`,
    })
    await firstKey(trx, organizationId, null)
    return { organizationId, userId: owner.id, containerId }
  })
  if (!made) throw new Error('the organization could not be made')
  await services.gateway.ensure(made)
  await services.gateway.start(made)
  // The simulated phone scans the QR by itself.
  await advance(1000)
  await eventually(
    () => rows<{ status: string }>(db, 'select status from numbers where id = :containerId', { containerId }),
    ([number]) => number?.status === 'WORKING',
  )
  return { ...made, reports: await readNextReports(db, made) }
}
