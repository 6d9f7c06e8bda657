import { limits } from '@msgctl/contract'
import { byCredential, byRegisteredApp, type LimitKey, limitReached } from '#api/access/limit-key.ts'
import { incrementAttempts } from '#people/auth/attempt-store.ts'
import type { Db } from '#platform/db/db.ts'
import { findRegistered } from './client-store.ts'

const { tokens, windowSeconds } = limits.oauth

/** Counts a request for tokens of an app that registered (specification, "Limits"). Throws RATE_LIMIT. */
export async function limitApp(db: Db, clientId: string): Promise<void> {
  const app = await findRegistered(db, clientId)
  if (app) await limitTokens(db, byRegisteredApp('tokens of an app', app))
}

/** Counts tokens of a connection, in the transaction that issues them. Throws RATE_LIMIT. */
export function limitConnection(
  trx: Db,
  { organizationId, connectionId }: { readonly organizationId: string; readonly connectionId: string },
): Promise<void> {
  return limitTokens(trx, byCredential('tokens of a connection', { organizationId, credential: connectionId }))
}

async function limitTokens(db: Db, key: LimitKey<'tokens of an app' | 'tokens of a connection'>): Promise<void> {
  const { attempts, retryAfterSeconds } = await incrementAttempts(db, key, windowSeconds)
  if (attempts <= tokens) return
  throw limitReached(key, `This AI client asked for tokens too often. Try again in ${retryAfterSeconds} s.`, {
    retryAfterSeconds,
  })
}
