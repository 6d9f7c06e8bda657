import { randomBytes } from 'node:crypto'
import { type Product, products, type Role } from '@msgctl/contract'
import { hashCredential } from '#api/access/authenticate.ts'
import { firstKey } from '#api/access/key.ts'
import { applyState } from '#numbers/connection/state.ts'
import { insertNumber } from '#numbers/records/store.ts'
import { issueToken } from '#people/auth/token.ts'
import { foundOrganization } from '#people/organizations/create.ts'
import { putMember } from '#people/organizations/store.ts'
import { insertUser } from '#people/organizations/user-store.ts'
import { type Db, rows, transaction } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'
import { directNetworkOf } from './direct/test-gateway.ts'
import { eventually } from './eventually.ts'
import type { TestServer } from './start-server.ts'

/** The hash of a random password that was thrown away: these people do not sign in with one. */
const unknownPassword =
  '$argon2id$v=19$m=1024,t=1,p=1$H2OyETir/PKSdGmWswmy2A$s0VvaAk4GddzFP+OmWgvjKABdhglHOlpc++IwVEV3G4'

/** What a test knows of an organization that it made. */
export interface MadeOrganization {
  readonly organizationId: string
  readonly apiKey: string
  readonly ownerId: string
}

/** Makes an organization with an account key. `granted: false` leaves it on its free trial. */
export async function makeOrganization(
  { db }: Pick<TestServer, 'db'>,
  options: { products?: readonly Product[]; granted?: boolean } = {},
): Promise<MadeOrganization> {
  return transaction(db, async (trx) => {
    const founded = await foundOrganization(trx, {
      organizationName: 'Test',
      products: options.products ?? products,
      granted: options.granted ?? true,
      owner: { name: 'Owner', email: newEmail(), passwordHash: unknownPassword },
    })
    const key = founded && (await firstKey(trx, founded.organizationId, null))
    if (!key) throw new Error('an organization could not be made')
    return { organizationId: founded.organizationId, apiKey: key.apiKey, ownerId: founded.owner.id }
  })
}

/** Signs in a person of an organization, and returns the bearer token. */
export async function makeToken(
  { db }: Pick<TestServer, 'db'>,
  organization: MadeOrganization,
  role: Role = 'owner',
): Promise<string> {
  return transaction(db, async (trx) => {
    const email = newEmail()
    const user = { id: role === 'owner' ? organization.ownerId : newId(), name: role, email }
    if (role !== 'owner') {
      await insertUser(trx, { ...user, passwordHash: unknownPassword })
      await putMember(trx, organization.organizationId, user.id, role)
    }
    const signedIn = await issueToken(trx, user, { id: organization.organizationId, name: 'Test' }, role)
    return signedIn.token
  })
}

/** Signs in a person of an organization at the console, and returns the value of the cookie. */
export async function makeCookie(
  server: Pick<TestServer, 'db'>,
  organization: MadeOrganization,
  role: Role = 'owner',
): Promise<string> {
  const token = await makeToken(server, organization, role)
  const issued = { hash: hashCredential(token) }
  await rows(server.db, `update user_tokens set carrier = 'cookie' where token_hash = :hash`, issued)
  return token
}

/** How many phones were linked, so that each number has one of its own. */
let phones = 0

/** Adds a number that is linked and WORKING, unless `linked` is false. Returns its id. */
export async function makeNumber(
  { services, db, worker }: Pick<TestServer, 'services' | 'db' | 'worker'>,
  { organizationId }: MadeOrganization,
  options: { linked?: boolean; label?: string } = {},
): Promise<string> {
  const containerId = newId()
  const session = { containerId, organizationId }
  const label = options.label ?? 'Test'
  await transaction(db, (trx) =>
    insertNumber(trx, {
      id: containerId,
      organizationId,
      gateway: services.config.gateway,
      label,
      instanceName: `number-${containerId}`,
    }),
  )
  const { gateway } = services
  await gateway.ensure(session)
  await gateway.start(session)
  if (options.linked === false) return containerId
  phones += 1
  const phone = `1202556${String(phones).padStart(4, '0')}`
  const network = await directNetworkOf(db)
  if (network) await network.link(services, session, phone)
  else await gateway.pairingCode(session, phone)
  if (worker) await settled(db, containerId)
  else await applyState(services, { ...session, state: await gateway.state(session), source: 'network' })
  return containerId
}

/** Waits until the number works and the worker has received all events of the network about it. */
async function settled(db: Db, containerId: string): Promise<void> {
  await eventually(
    () =>
      rows<{ status: string; untold: number }>(
        db,
        `select status, (select count(*) from sim_events e where e.container_id = n.id)
                     + (select count(*) from gateway_inbox i where i.container_id = n.id) as untold
           from numbers n where id = :containerId`,
        { containerId },
      ),
    ([number]) => number?.status === 'WORKING' && number.untold === 0,
  )
}

/** The key of a number, made now. */
export async function makeNumberKey(
  { db }: Pick<TestServer, 'db'>,
  { organizationId }: MadeOrganization,
  containerId: string,
): Promise<string> {
  const key = await transaction(db, (trx) => firstKey(trx, organizationId, containerId))
  if (!key) throw new Error('the number has a key already')
  return key.apiKey
}

function newEmail(): string {
  return `${randomBytes(8).toString('hex')}@example.com`
}
