import { products } from '@msgctl/contract'
import { GatewayError } from '@msgctl/network/errors'
import { firstKey } from '#api/access/key.ts'
import { startSession } from '#numbers/connect.ts'
import { findNumber, insertNumber } from '#numbers/records/store.ts'
import { createConsoleCode } from '#people/auth/welcome.ts'
import { foundOrganization } from '#people/organizations/create.ts'
import { newPassword } from '#people/organizations/password.ts'
import { anyOrganization } from '#people/organizations/store.ts'
import { transaction } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'
import { ApiError } from '#platform/errors.ts'
import type { Services } from '#services.ts'

/** The organization of the quick start. Key and password are shown this once. */
export interface Demo {
  readonly organizationId: string
  readonly containerId: string
  readonly apiKey: string
  readonly owner: { readonly email: string; readonly password: string }
  /** Signs the owner in to the console once; null where the console is off. */
  readonly welcomeCode: string | null
}

const ownerEmail = 'owner@example.com'
/** The simulated phone that is linked to the first number. */
const ownPhone = '12025550199'

/**
 * Fills an empty database with an organization with the available products, its owner, a number and an account key;
 * null when there is an organization already.
 */
export async function makeDemo(services: Services): Promise<Demo | null> {
  const { db } = services
  if (await anyOrganization(db)) return null
  const { password, passwordHash } = await newPassword()
  const demo = await transaction(db, async (trx) => {
    const founded = await foundOrganization(trx, {
      organizationName: 'Demo',
      products,
      granted: true,
      owner: { name: 'Owner', email: ownerEmail, passwordHash },
    })
    if (!founded) return null
    const { organizationId } = founded
    const containerId = newId()
    await insertNumber(trx, {
      id: containerId,
      organizationId,
      gateway: services.config.gateway,
      label: 'Demo',
      instanceName: `number-${containerId}`,
    })
    const key = await firstKey(trx, organizationId, null)
    if (!key) return null
    const welcome = services.config.console.enabled
      ? await createConsoleCode(trx, founded.owner.id, organizationId)
      : null
    const owner = { email: ownerEmail, password }
    return { organizationId, containerId, apiKey: key.apiKey, owner, welcomeCode: welcome?.code ?? null }
  })
  if (demo) await startDemo(services, demo)
  return demo
}

/** Over a real network the number waits until the network has a host for it. The supervisor starts it then. */
async function startDemo(services: Services, demo: Demo): Promise<void> {
  try {
    await startSession(services, toSession(demo))
  } catch (error) {
    if (services.config.gateway === 'simulator' || !(error instanceof GatewayError || error instanceof ApiError))
      throw error
  }
}

const pollEveryMs = 50
const linkWithinMs = 20_000

/** Links the number by a pairing code, which the simulated phone enters by itself. Returns true once it works. */
export async function linkDemo({ gateway }: Pick<Services, 'gateway'>, demo: Demo): Promise<boolean> {
  const session = toSession(demo)
  let paired = false
  return pollUntil(async () => {
    const { status } = await gateway.state(session)
    if (status === 'SCAN_QR_CODE' && !paired) paired = await pair(gateway, session)
    return status === 'WORKING'
  })
}

/** Waits until the worker has stored that the number works. Returns false when that takes too long. */
export async function waitUntilUsable({ db }: Pick<Services, 'db'>, demo: Demo): Promise<boolean> {
  const { organizationId, containerId } = demo
  return pollUntil(async () => (await findNumber(db, organizationId, containerId))?.status === 'WORKING')
}

async function pollUntil(isDone: () => Promise<boolean>): Promise<boolean> {
  for (const until = performance.now() + linkWithinMs; performance.now() < until; ) {
    if (await isDone()) return true
    await new Promise((resolve) => setTimeout(resolve, pollEveryMs))
  }
  return false
}

/**
 * Requests a pairing code. Returns false when the number cannot be paired now: with SIM_AUTOLINK it may have linked
 * itself since its state was read, which the next read shows.
 */
async function pair(gateway: Services['gateway'], session: Pick<Demo, 'containerId' | 'organizationId'>) {
  try {
    await gateway.pairingCode(session, ownPhone)
    return true
  } catch (error) {
    if (error instanceof GatewayError && error.kind === 'session') return false
    throw error
  }
}

/** Returns only the ids, so that calls to the gateway never hold the key and the password. */
function toSession({ containerId, organizationId }: Demo): Pick<Demo, 'containerId' | 'organizationId'> {
  return { containerId, organizationId }
}
