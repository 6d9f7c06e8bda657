import { aiScopes } from '@msgctl/contract'
import { type Identity, identifyKeyOf } from '#api/access/authenticate.ts'
import { type Connection, identifyConnection } from '#api/access/connections.ts'
import type { Db } from '#platform/db/db.ts'
import type { ActionRow } from './approvals/action-store.ts'
import type { AiCaller } from './caller.ts'

/**
 * Returns the caller that began an action, as it is now; null when its key was replaced or its connection has ended.
 */
export async function callerOf(db: Db, action: ActionRow): Promise<AiCaller | null> {
  if (action.connectionId !== null) {
    const connection = await identifyConnection(db, action.organizationId, action.connectionId)
    return connection && fromConnection(connection)
  }
  const containerId = /^number:(.+)$/.exec(action.credential)?.[1] ?? null
  const identity = await identifyKeyOf(db, action.organizationId, { containerId, at: action.requestedAt })
  return identity && toAiCaller(identity)
}

/** Returns an AI client that calls with the token of a connection. */
export function fromConnection({ id, identity, scopes }: Connection): AiCaller {
  return { identity, connectionId: id, scopes: new Set(aiScopes.filter((scope) => scopes.includes(scope))) }
}

/** Returns an AI client that calls with a key. */
export function toAiCaller(identity: Identity): AiCaller {
  const caller = { ...identity.caller, aiClient: { connectionId: null } }
  return { identity: { ...identity, caller }, connectionId: null, scopes: null }
}
