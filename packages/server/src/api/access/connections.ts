import { type Actor, recordActivity } from '#api/activity/log.ts'
import type { Db } from '#platform/db/db.ts'
import { type Identity, identity } from './authenticate.ts'
import {
  type ConnectionRow,
  type EndingConnections,
  endConnections,
  findConnection,
  useConnection,
} from './connection-store.ts'

/** Why a connection ended. */
export type EndReason = 'revoked' | 'client_revoked' | 'access_ended' | 'token_reuse' | 'code_reuse'

/** A connection of an AI client that may call. */
export interface Connection {
  readonly id: string
  readonly identity: Identity
  readonly scopes: readonly string[]
}

/** Returns the connection with this access token, as the person who allowed it is now; null when there is none. */
export async function authenticateConnection(db: Db, tokenHash: Buffer): Promise<Connection | null> {
  const row = await useConnection(db, tokenHash)
  return row ? toConnection(row) : null
}

/** Returns a connection by its id, or null when it has ended. */
export async function identifyConnection(db: Db, organizationId: string, id: string): Promise<Connection | null> {
  const row = await findConnection(db, organizationId, id)
  return row ? toConnection(row) : null
}

/** A connection for one number acts as the key of that number, with the role of its person. */
function toConnection(row: ConnectionRow): Connection {
  const { connectionId: id, containerId, role, scopes } = row
  const { caller, ...facts } = identity({ ...row, containerId: null }, { hash: row.tokenHash })
  const aiClient = { connectionId: id }
  const credential = `connection:${id}`
  const bound = containerId === null ? {} : { kind: 'number_key' as const, containerId, userId: null, role }
  return { id, scopes, identity: { ...facts, caller: { ...caller, ...bound, credential, aiClient } } }
}

/** Ends connections at once, with an entry in the activity log for each. Returns how many there were. */
export async function endConnectionsOf(
  trx: Db,
  which: EndingConnections,
  { reason, actor }: { readonly reason: EndReason; readonly actor?: Actor },
): Promise<number> {
  const ended = await endConnections(trx, which, reason)
  for (const { id, organizationId, clientName } of ended) {
    await recordActivity(trx, {
      organizationId,
      actor: actor ?? { kind: 'ai_client', id },
      action: 'ai_connection.ended',
      subject: id,
      details: { client: clientName, reason },
    })
  }
  return ended.length
}
