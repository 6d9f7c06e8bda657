import { applyState } from '../../../packages/server/src/numbers/connection/state.ts'
import { startWorker } from '../../../packages/server/src/process/worker.ts'
import { eventually } from '../../../packages/server/src/testing/eventually.ts'
import { startFileServer } from '../../../packages/server/src/testing/file-server.ts'
import { makeNumber, makeToken } from '../../../packages/server/src/testing/make.ts'
import { makeOtherTenant, type TenantFixture } from '../../../packages/server/src/testing/matrix/other-tenant.ts'
import { samples } from '../../../packages/server/src/testing/sample-files.ts'
import { sim, transcriptOf } from '../../../packages/server/src/testing/sim.ts'
import { startTestServer, type TestServer } from '../../../packages/server/src/testing/start-server.ts'
import type { Json, Operation } from './document.ts'
import { freshCallers } from './fresh-callers.ts'
import { createKnownIds, type KnownIds } from './known-ids.ts'
import { preparePeople } from './people.ts'
import type { Random } from './random.ts'

type Headers = Readonly<Record<string, string>>

/** An organization that requests are made for, what it has, and who can call for it. */
export interface Resident {
  readonly tenant: TenantFixture
  readonly ids: KnownIds
  account: Headers
  owner: Headers
  readonly member: Headers
  /** A person who belongs to another organization too, and so may leave. */
  readonly guest?: Headers
}

/** Where requests go: a service with two organizations that stay, and one for what breaks things. */
export interface Baseline {
  readonly server: TestServer
  /** What belongs to another organization. */
  readonly strangers: KnownIds
  /** What no answer to us may ever hold. */
  readonly secrets: readonly string[]
  /** Who calls this operation. */
  resident(operation: Operation): Promise<Resident>
  /** Keeps what is known of a resident true after a request that succeeded. */
  follow(resident: Resident, operation: Operation, answer: Json): Promise<void>
  /** Half a minute later, so that no limit stands in the way for ever. */
  pass(): Promise<void>
}

/** Operations on numbers after which something does not work any more that others need. */
const breaking = new Set([
  ...['create', 'update', 'delete', 'release', 'generateKey', 'regenerateKey'].map((name) => `numbers.${name}`),
  ...['pair', 'start', 'stop', 'reconnect', 'logout'].map((name) => `numbers.${name}`),
  ...['update', 'delete', 'activate', 'pause'].map((name) => `bots.${name}`),
])
const usesOfExpendable = 60
/** Operations after which a person is signed out, has left or has another role, which the next ones need. */
const unsettling = /^(?:auth|team|organization)\./

/** People of the simulated network that behave in every way, without those that take an account down. */
const people = ['0100', '0101', '0102', '0110', '0111', '0112', '0113', '0120', '0123', '0130', '0140', '0141', '0150']
const phones = [
  ...people.map((last) => `+1202555${last}`),
  ...Array.from({ length: 40 }, (_, index) => `+1303555${1000 + index}`),
  '49123456789012@lid',
  '+1 (202) 555-0100',
  '12025550100',
]

async function links(): Promise<Readonly<Record<string, readonly string[]>>> {
  const files = await startFileServer()
  const gone = `${files.address}/gone`
  return {
    imageUrl: [gone, files.serve('/a.jpg', samples.jpeg), files.serve('/a.png', samples.png)],
    videoUrl: [gone, files.serve('/a.mp4', samples.mp4)],
    fileUrl: [gone, files.serve('/a.pdf', samples.pdf), files.serve('/a.csv', samples.csv)],
    audioUrl: [gone, files.serve('/a.ogg', samples.opus)],
    pictureUrl: [gone, files.serve('/b.jpg', samples.jpeg)],
  }
}

/** What an organization has, as pools that grow. */
function poolsOf({ ids }: TenantFixture, others: Readonly<Record<string, readonly string[]>> = {}): KnownIds {
  const own = Object.entries(ids).map(([kind, id]) => [kind, [id]] as const)
  return createKnownIds({
    phone: phones,
    chat: phones.slice(0, 3),
    'order number': Array.from({ length: 20 }, (_, n) => String(1001 + n)),
    ...Object.fromEntries(own),
    ...others,
  })
}

/** Sends messages from people to the numbers and waits until the service has received them. */
async function receiveMessages(server: TestServer, households: readonly TenantFixture[]): Promise<void> {
  const worker = await startWorker(server.services, server.databaseUrl)
  for (const { ids, owner } of households) {
    for (const from of phones.slice(0, 2)) {
      await sim(server, 'POST inbound', { containerId: ids.number, from, text: 'is anybody there?' })
    }
    await sim(server, 'POST inbound', { containerId: ids.number, from: phones[0], type: 'image' })
    const list = async () => (await fetch(`${server.baseUrl}/chats/unread`, { headers: owner })).json() as Json
    await eventually(list, ({ messages }) => messages.length >= 3)
  }
  await worker.stop()
}

/** One more number of the organization, that waits to be linked. */
async function makeUnlinked(server: TestServer, household: TenantFixture): Promise<string> {
  const containerId = await makeNumber(server, household, { linked: false })
  const session = { containerId, organizationId: household.organizationId }
  const { services } = server
  await applyState(services, { ...session, state: await services.gateway.state(session), source: 'network' })
  return containerId
}

/** The code that was sent last to the phone. */
async function codeSentTo(server: TestServer, { ids }: TenantFixture, phone: string): Promise<string | undefined> {
  const entries = (await transcriptOf(server, ids.number)).filter(({ to }) => to === phone)
  return JSON.stringify(entries.at(-1)?.content ?? '').match(/\b\d{4,8}\b/)?.[0]
}

/** Makes the ground, for the calling test file. */
export async function makeBaseline(): Promise<Baseline> {
  const env = { TRUSTED_PROXIES: '127.0.0.1', PAYMENTS: 'simulated' }
  const server = await startTestServer({ worker: false, env })
  const media = await links()

  async function settle(): Promise<Resident> {
    const tenant = await makeOtherTenant(server, { orders: 40 })
    const { owner, apiKey } = tenant
    const member = { authorization: `Bearer ${await makeToken(server, tenant, 'member')}` }
    const ids = poolsOf(tenant, { ...media, 'unlinked number': [await makeUnlinked(server, tenant)] })
    return { tenant, ids, account: { 'x-api-key': apiKey }, owner, member }
  }

  const main = await settle()
  const neighbour = await makeOtherTenant(server, { orders: 40 })
  await receiveMessages(server, [main.tenant, neighbour])
  await server.services.clock.freeze()
  const expendable = { resident: await settle(), uses: 0 }
  const fresh = await freshCallers(server, await makeOtherTenant(server))
  let people: Resident | undefined
  let usesOfPeople = 0

  /** Returns people who are signed in, whatever the last request did; others when roles may have changed. */
  async function signedInPeople(id: string): Promise<Resident> {
    usesOfPeople += 1
    if (!people || usesOfPeople > usesOfExpendable) {
      const settled = await settle()
      const guest = await preparePeople(server, settled.tenant, settled.ids)
      people = { ...settled, guest: { authorization: `Bearer ${guest}` } }
      usesOfPeople = 0
    }
    const token = await makeToken(server, people.tenant)
    const owner = { authorization: `Bearer ${token}` }
    // The request before it ended every other session.
    const { sessions } = id === 'auth.endSession' ? await server.client({ token }).auth.sessions() : { sessions: [] }
    for (const session of sessions) people.ids.add('session', session.id)
    return { ...people, owner: id === 'team.leave' ? (people.guest ?? owner) : owner }
  }

  return {
    server,
    strangers: createKnownIds(Object.fromEntries(Object.entries(neighbour.ids).map(([kind, id]) => [kind, [id]]))),
    secrets: [neighbour.organizationId, ...Object.values(neighbour.ids)],
    async resident({ id }) {
      const caller = await fresh[id]?.()
      if (caller) {
        const { headers, ids } = caller
        return { ...main, ids: createKnownIds(ids), account: headers, owner: headers }
      }
      if (unsettling.test(id)) return signedInPeople(id)
      if (!breaking.has(id)) return main
      expendable.uses += 1
      if (expendable.uses % usesOfExpendable === 0) expendable.resident = await settle()
      return expendable.resident
    },
    async follow(resident, { id }, answer) {
      if (id === 'account.regenerateKey') resident.account = { 'x-api-key': answer.apiKey }
      // The organization has another owner now.
      if (id === 'organization.transfer') people = undefined
      if (id !== 'otp.send') return
      const code = await codeSentTo(server, resident.tenant, answer.phone)
      if (code) resident.ids.add('code', code)
    },
    pass: () => server.advance(30),
  }
}

/** Credentials that the operation takes. */
export function goodCredentials({ schemes }: Operation, { account, owner }: Resident): Headers {
  if (schemes.length === 0) return {}
  return schemes.includes('accountKey') ? account : owner
}

/** Credentials for a call: mostly those that the operation takes, sometimes others, sometimes none. */
export function anyCredentials(operation: Operation, resident: Resident, random: Random): Headers {
  const { tenant, account, owner, member } = resident
  if (operation.schemes.length === 0) return random.chance(0.9) ? {} : account
  if (random.chance(0.08)) {
    return random.pick([{}, member, tenant.numberKey, owner, account, { 'x-api-key': 'msk_wrong' }])
  }
  return random.chance(0.3) ? owner : goodCredentials(operation, resident)
}
