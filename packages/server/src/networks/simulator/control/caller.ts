import { authenticate } from '#api/access/authenticate.ts'
import { consoleToken } from '#api/access/console-cookie.ts'
import type { SimContext } from '#networks/simulator/context.ts'
import { findSession } from '#networks/simulator/sessions/store.ts'
import { apiError } from '#platform/errors.ts'
import { type Headers, requireLocalAddress, requireLocalCaller } from './guard.ts'

/** Who operates the simulated network: a program with the token, or the console for one organization. */
export interface SimCaller {
  /** Null for a program, which reaches the numbers of all organizations. */
  readonly organizationId: string | null
}

/**
 * Returns the caller, who has to be on this machine: a program with the token, or an owner or admin who is signed in to
 * the console. Throws ADMIN_ONLY, and AUTH_ERROR when the session has ended.
 */
export async function requireSimCaller(
  { db, config }: Pick<SimContext, 'db' | 'config'>,
  headers: Headers,
  remoteAddress: string | undefined,
): Promise<SimCaller> {
  if (headers['x-sim-token'] !== undefined || consoleToken(headers) === undefined) {
    requireLocalCaller(headers, remoteAddress, config.simulator.token)
    return { organizationId: null }
  }
  requireLocalAddress(headers, remoteAddress)
  const { caller, deactivated } = await authenticate(db, {
    ...headers,
    'x-api-key': undefined,
    authorization: undefined,
  })
  if (deactivated || caller.role === 'member') {
    throw apiError('ADMIN_ONLY', 'Only an owner or admin may operate the simulated network.')
  }
  return { organizationId: caller.organizationId }
}

/** Throws CONTAINER_NOT_FOUND when the console names a number of another organization. */
export async function requireOwnNumber(
  { db }: Pick<SimContext, 'db'>,
  { organizationId }: SimCaller,
  input: unknown,
): Promise<void> {
  if (organizationId === null || typeof input !== 'object' || input === null || !('containerId' in input)) return
  const session = await findSession(db, String(input.containerId))
  if (session?.organizationId !== organizationId) {
    throw apiError('CONTAINER_NOT_FOUND', 'The simulated network does not know this number.')
  }
}
