import { findClients } from '#api/access/token-store.ts'
import { recordActivity, toActor } from '#api/activity/log.ts'
import type { Origin } from '#api/http/handler.ts'
import type { Db } from '#platform/db/db.ts'
import { queueMail } from '#platform/mail/queue.ts'
import type { Services } from '#services.ts'
import type { SignInRow } from './store.ts'
import { issueToken } from './token.ts'
import { countRecoveryCodes } from './two-factor/store.ts'

/** Starts a session of a person who proved who they are. A program that they did not use before is mailed to them. */
export async function startSession(
  trx: Db,
  services: Services,
  person: SignInRow,
  { origin, twoFactor }: { readonly origin: Origin; readonly twoFactor: boolean },
) {
  const { userId, name, email, organizationId, organizationName, role } = person
  const clients = await findClients(trx, userId, origin.userAgent)
  const organization = { id: organizationId, name: organizationName }
  const session = await issueToken(trx, { id: userId, name, email }, organization, role, {
    origin,
    recoveryCodesLeft: twoFactor ? await countRecoveryCodes(trx, userId) : null,
  })
  await recordActivity(trx, {
    organizationId,
    actor: toActor({ kind: 'user', userId, containerId: null, origin }),
    action: 'session.started',
    details: { client: origin.userAgent, twoFactor },
  })
  if (clients.any && !clients.known) {
    const facts = { name, client: origin.userAgent, ip: origin.ip }
    await queueMail(trx, services, { to: email, kind: 'signed_in_new_device', facts })
  }
  return session
}
