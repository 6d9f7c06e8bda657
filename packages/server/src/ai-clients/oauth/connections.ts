import type { AiScope, Contract, OutputOf } from '@msgctl/contract'
import { type ListedConnection, listConnections, narrowConnection } from '#api/access/connection-store.ts'
import { endConnectionsOf } from '#api/access/connections.ts'
import { recordActivity, toActor } from '#api/activity/log.ts'
import type { Caller, Handlers } from '#api/http/handler.ts'
import { type Db, transaction } from '#platform/db/db.ts'
import { apiError } from '#platform/errors.ts'
import { hasNumber } from './number-store.ts'

type Connections = Pick<Handlers<Contract['mcp']>, 'connections' | 'updateConnection' | 'endConnection'>

/** The handlers of the connections of AI clients. Members reach their own ones. */
export const connectionHandlers: Connections = {
  async connections({ caller }, { db }) {
    const found = await listConnections(db, caller.organizationId, { userId: ownOnly(caller) })
    return { connections: found.map(toConnection) }
  },

  async updateConnection({ caller, params, body }, { db }) {
    const { organizationId } = caller
    return transaction(db, async (trx) => {
      const found = await findOwn(trx, caller, params.connectionId)
      const scopes = body.scopes ?? (found.scopes as AiScope[])
      const containerId = body.containerId === undefined ? found.containerId : body.containerId
      const widens = scopes.some((scope) => !found.scopes.includes(scope))
      if (widens || (found.containerId !== null && containerId !== found.containerId)) {
        throw apiError(
          'FORBIDDEN_ACTION',
          'More than was given needs the consent of the person: connect the client again.',
          {
            reason: 'consent_needed',
          },
        )
      }
      if (containerId !== null && !(await hasNumber(trx, organizationId, containerId))) {
        throw apiError('NOT_FOUND', 'There is no such number.')
      }
      await narrowConnection(trx, organizationId, { id: found.id, scopes, containerId })
      const details = { client: found.clientName, scopes, containerId }
      const action = 'ai_connection.changed'
      await recordActivity(trx, { organizationId, actor: toActor(caller), action, subject: found.id, details })
      return { connection: toConnection({ ...found, scopes, containerId }) }
    })
  },

  async endConnection({ caller, params }, { db }) {
    return transaction(db, async (trx) => {
      const { id } = await findOwn(trx, caller, params.connectionId)
      await endConnectionsOf(trx, { id }, { reason: 'revoked', actor: toActor(caller) })
      return {}
    })
  },
}

function ownOnly({ role, userId }: Caller): string | null {
  return role === 'member' ? userId : null
}

async function findOwn(db: Db, caller: Caller, id: string): Promise<ListedConnection> {
  const [found] = await listConnections(db, caller.organizationId, { userId: ownOnly(caller), id })
  if (!found) throw apiError('NOT_FOUND', 'There is no such connection.')
  return found
}

/** Returns a connection as people see it. */
function toConnection(one: ListedConnection): OutputOf<'mcp', 'connections'>['connections'][number] {
  return {
    id: one.id,
    client: { id: one.clientId, name: one.clientName, host: one.clientHost },
    person: { id: one.userId, name: one.userName },
    scopes: one.scopes as AiScope[],
    containerId: one.containerId,
    createdAt: one.createdAt.toISOString(),
    lastUsedAt: one.lastUsedAt?.toISOString() ?? null,
  }
}
