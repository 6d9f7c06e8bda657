import type { Contract } from '@msgctl/contract'
import { endAccess } from '#api/access/end-access.ts'
import { deleteSession, deleteToken, listSessions } from '#api/access/token-store.ts'
import { recordActivity, recordForPerson, toActor } from '#api/activity/log.ts'
import type { Caller, Handlers } from '#api/http/handler.ts'
import { transaction } from '#platform/db/db.ts'
import { apiError } from '#platform/errors.ts'
import { sessionEnded } from './session-ended.ts'

type SessionHandlers = Pick<Handlers<Contract['auth']>, 'signOut' | 'sessions' | 'endSession' | 'endSessions'>

/** Returns the id of the signed-in person. */
export function personOf({ userId }: Caller): string {
  if (userId === null) throw sessionEnded()
  return userId
}

export const sessionHandlers: SessionHandlers = {
  async signOut({ caller }, { db }) {
    const { organizationId, credentialHash } = caller
    await transaction(db, async (trx) => {
      await deleteToken(trx, organizationId, credentialHash)
      await recordActivity(trx, { organizationId, actor: toActor(caller), action: 'session.ended' })
    })
    return {}
  },

  async sessions({ caller }, { db }) {
    const found = await listSessions(db, personOf(caller))
    return {
      sessions: found.map((one) => ({
        id: one.id,
        organization: { id: one.organizationId, name: one.organizationName },
        createdAt: one.createdAt.toISOString(),
        lastUsedAt: one.lastUsedAt.toISOString(),
        expiresAt: one.expiresAt.toISOString(),
        ip: one.ip,
        client: one.userAgent,
        current: one.tokenHash.equals(caller.credentialHash),
      })),
    }
  },

  async endSession({ caller, params }, { db }) {
    return transaction(db, async (trx) => {
      const organizationId = await deleteSession(trx, personOf(caller), params.sessionId)
      if (organizationId === undefined) throw apiError('NOT_FOUND', 'There is no such session.')
      const subject = params.sessionId
      await recordActivity(trx, { organizationId, actor: toActor(caller), action: 'session.ended', subject })
      return { ended: 1 }
    })
  },

  async endSessions({ caller }, { db }) {
    const userId = personOf(caller)
    return transaction(db, async (trx) => {
      const { sessions: ended } = await endAccess(trx, {
        userId,
        organizationId: null,
        keep: caller.credentialHash,
        by: toActor(caller),
      })
      await recordForPerson(trx, userId, { origin: caller.origin, action: 'sessions.ended', details: { ended } })
      return { ended }
    })
  },
}
