import type { Contract } from '@msgctl/contract'
import { byEmail } from '#api/access/limit-key.ts'
import type { Request } from '#api/http/handler.ts'
import { findUserByEmail } from '#people/organizations/user-store.ts'
import { type Db, transaction } from '#platform/db/db.ts'
import { queueMail } from '#platform/mail/queue.ts'
import { workOn } from '#platform/set-aside/work.ts'
import type { Services } from '#services.ts'
import { incrementAttempts } from './attempt-store.ts'
import { limitAddress, publicLimit } from './attempts.ts'
import { makeLink } from './links.ts'
import { insertResetRequest, listResetRequests, type ResetRequest, takeResetRequest } from './reset-request-store.ts'

/** Mails of one kind that one address gets in an hour. */
export const mailsPerHour = 3
const hourSeconds = 3600
const batchSize = 20

/**
 * Stores a request for a new password. Known and unknown addresses get the same response from the same work; a job
 * looks the address up and mails the link.
 */
export async function forgotPassword({ body, ip }: Request<Contract['auth']['forgotPassword']>, { db }: Services) {
  await limitAddress(db, ip, publicLimit('requests for a new password'))
  await insertResetRequest(db, { email: body.email, ip })
  return {}
}

/** Mails a link for each stored request whose address is known. */
export async function mailResetLinks(services: Services): Promise<void> {
  const { db } = services
  for (;;) {
    let handled = 0
    for (const id of await listResetRequests(db, batchSize)) {
      await workOn(services, 'reset_links', [{ id: String(id), organizationId: null }], {
        run: () =>
          transaction(db, async (trx) => {
            const request = await takeResetRequest(trx, id)
            if (request) await mailResetLink(services, trx, request)
            handled += request ? 1 : 0
          }),
        setAside: async () => void (await takeResetRequest(db, id)),
      })
    }
    // Other workers have the rest.
    if (handled === 0) return
  }
}

async function mailResetLink(services: Services, trx: Db, { email, ip }: ResetRequest): Promise<void> {
  const person = await findUserByEmail(trx, email)
  if (!person || services.mailer.kind === 'none') return
  const { attempts } = await incrementAttempts(trx, byEmail('reset mails', email), hourSeconds)
  if (attempts > mailsPerHour) return
  const link = await makeLink(trx, services, person.id, 'reset')
  await queueMail(trx, services, { to: person.email, kind: 'reset', facts: { name: person.name, link, ip } })
}
