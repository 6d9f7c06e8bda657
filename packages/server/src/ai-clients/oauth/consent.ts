import { randomBytes } from 'node:crypto'
import { type AiScope, type Contract, limits } from '@msgctl/contract'
import { hashCredential } from '#api/access/authenticate.ts'
import { hasConnected, insertConnection } from '#api/access/connection-store.ts'
import { lockSession } from '#api/access/token-store.ts'
import { recordActivity, toActor } from '#api/activity/log.ts'
import type { Handlers, Request } from '#api/http/handler.ts'
import { sessionEnded } from '#people/auth/session-ended.ts'
import { personOf } from '#people/auth/sessions.ts'
import { findUser } from '#people/organizations/user-store.ts'
import { type Db, transaction } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'
import { apiError, invalidField } from '#platform/errors.ts'
import { queueMail } from '#platform/mail/queue.ts'
import type { Services } from '#services.ts'
import { readBrowser } from './browser.ts'
import { noteAllowed } from './client-store.ts'
import { listOwnNumbers } from './number-store.ts'
import { redirectWith } from './parameters.ts'
import { redirectKind } from './redirect-address.ts'
import { answerRequest, findRequest, insertCode, type StoredRequest } from './request-store.ts'

type OAuth = Contract['oauth']

/** The handlers of the page that asks a person whether an AI client may connect. */
export const consentHandlers = {
  async request(request, { db }) {
    const { caller } = request
    const asked = await requireRequest(db, request)
    return {
      request: {
        id: asked.id,
        client: { id: asked.clientId, name: asked.clientName, host: asked.clientHost },
        redirect: { host: hostOf(asked.redirectUri), kind: redirectKind(asked.redirectUri) ?? 'program' },
        scopes: asked.scopes,
        expiresAt: asked.expiresAt.toISOString(),
        numbers: await listOwnNumbers(db, caller.organizationId),
      },
    }
  },

  async approve(request, services) {
    const { body, caller } = request
    return transaction(services.db, async (trx) => {
      const asked = await requireRequest(trx, request)
      const scopes = asked.scopes.filter((scope) => body.scopes.includes(scope))
      if (scopes.length === 0 || scopes.length < body.scopes.length) {
        throw invalidField('scopes', `must be some of what the client asked for: ${asked.scopes.join(', ')}`)
      }
      const numbers = await listOwnNumbers(trx, caller.organizationId)
      if (body.containerId !== null && !numbers.some(({ containerId }) => containerId === body.containerId)) {
        throw apiError('NOT_FOUND', 'There is no such number.')
      }
      const connectionId = await connect(trx, services, request, asked, scopes)
      const code = randomBytes(32).toString('base64url')
      const { clientId, redirectUri, codeChallenge, state, issuer } = asked
      const hash = hashCredential(code)
      await insertCode(trx, { hash, connectionId, clientId, redirectUri, codeChallenge }, limits.oauth.codeSeconds)
      await answerRequest(trx, asked.id)
      await noteAllowed(trx, clientId)
      return { redirectTo: redirectWith(redirectUri, { code, state, iss: issuer }) }
    })
  },

  async deny(request, { db }) {
    return transaction(db, async (trx) => {
      const { id, redirectUri, state, issuer } = await requireRequest(trx, request)
      await answerRequest(trx, id)
      return { redirectTo: redirectWith(redirectUri, { error: 'access_denied', state, iss: issuer }) }
    })
  },
} satisfies Handlers<OAuth>

type Asking = Pick<Request<OAuth['deny']>, 'params' | 'cookie'>

/**
 * Returns a request that began in this browser and waits for an answer. Otherwise a stranger could send the link of a
 * request of their own to a person. Throws OAUTH_REQUEST_INVALID.
 */
async function requireRequest(db: Db, { params, cookie }: Asking): Promise<StoredRequest> {
  const asked = await findRequest(db, params.requestId)
  if (!asked || asked.isExpired) {
    throw apiError('OAUTH_REQUEST_INVALID', 'This request has expired. Connect the AI client again.', {
      reason: 'expired',
    })
  }
  const browser = readBrowser(cookie ?? (() => undefined))
  if (browser === null || !hashCredential(browser).equals(asked.browserHash)) {
    throw apiError(
      'OAUTH_REQUEST_INVALID',
      'This request began in another browser. Connect the AI client again in this one.',
      {
        reason: 'other_browser',
      },
    )
  }
  if (asked.isAnswered) {
    throw apiError('OAUTH_REQUEST_INVALID', 'This request was answered. Connect the AI client again.', {
      reason: 'answered',
    })
  }
  return asked
}

/** Stores the connection, and mails the person about their first one of a client. Returns its id. */
async function connect(
  trx: Db,
  services: Services,
  { caller, body }: Request<OAuth['approve']>,
  { clientId, clientName, clientHost }: StoredRequest,
  scopes: AiScope[],
): Promise<string> {
  const { organizationId } = caller
  const userId = personOf(caller)
  const session = await lockSession(trx, caller.credentialHash)
  if (!session) throw sessionEnded()
  const isFirst = !(await hasConnected(trx, { organizationId, userId, clientId }))
  const id = newId()
  const { containerId } = body
  await insertConnection(trx, {
    ...{ id, organizationId, userId, clientId, clientName, clientHost },
    ...{ scopes, containerId, twoFactor: session.twoFactor },
  })
  const details = { client: clientName, host: clientHost, scopes, containerId }
  await recordActivity(trx, {
    organizationId,
    actor: toActor(caller),
    action: 'ai_connection.created',
    subject: id,
    details,
  })
  const person = isFirst ? await findUser(trx, userId) : undefined
  if (person) {
    const facts = { name: person.name, client: clientHost ?? clientName }
    await queueMail(trx, services, { to: person.email, kind: 'ai_client_connected', facts })
  }
  return id
}

/** Returns where an answer goes, as a page shows it: the host, or the scheme of a program. */
function hostOf(redirectUri: string): string {
  const { host, protocol } = new URL(redirectUri)
  return protocol === 'https:' || protocol === 'http:' ? host : `${protocol}//${host}`
}
