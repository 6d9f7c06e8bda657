import { listFeatures } from '@msgctl/contract'
import { authenticate, type Identity } from '#api/access/authenticate.ts'
import { findAccount } from '#people/account/store.ts'
import { ApiError } from '#platform/errors.ts'
import type { Services } from '#services.ts'

type Headers = Readonly<Record<string, string | string[] | undefined>>

/**
 * Returns who is signed in, and what the page needs to know before anyone is. It asks this once at its start, so that a
 * missing session is no error in the browser's log.
 */
export async function describeSession({ db, config }: Services, headers: Headers) {
  const identity = await findIdentity(db, headers)
  const account = identity && (await findAccount(db, identity.caller.organizationId, identity.caller.userId))
  return {
    success: true,
    user: account ? { id: account.id, name: account.name, email: account.email, memberRole: account.memberRole } : null,
    organization: account ? { id: account.organizationId, name: account.organizationName } : null,
    features: account && identity ? listFeatures(identity.caller.products, false) : [],
    serviceName: config.serviceName,
    simulator: config.simulator.control,
    signUp: config.signUp === 'open',
    console: config.console.enabled,
  }
}

/** Returns the person of the cookie; null without one, and for the key of a program. */
async function findIdentity(db: Services['db'], headers: Headers): Promise<Identity | null> {
  const { 'x-api-key': _key, authorization: _token, ...others } = headers
  return authenticate(db, others).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'AUTH_ERROR') return null
    throw error
  })
}
