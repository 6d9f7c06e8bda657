import { withPayments } from '#billing/errors.ts'
import { dayOf } from '#billing/refresh/mails.ts'
import { writeTrialMail } from '#people/organizations/paid-store.ts'
import { transaction } from '#platform/db/db.ts'
import { queueMail } from '#platform/mail/queue.ts'
import { repeatUntilZero } from '#platform/periodic-jobs.ts'
import type { Services } from '#services.ts'
import { listTrialNotices } from './trial-store.ts'

/** Mails owners two days before their trial ends, and when it has ended. */
export async function mailTrials(services: Services): Promise<void> {
  const { payments } = withPayments(services)
  await repeatUntilZero(async () => {
    const notices = await listTrialNotices(services.db, 100)
    for (const { organizationId, name, ownerEmail, endsAt, mail } of notices) {
      await transaction(services.db, async (trx) => {
        if (!(await writeTrialMail(trx, organizationId, mail)) || ownerEmail === null) return
        const facts = { organization: name, day: dayOf(endsAt), link: payments.returnUrl }
        const kind = mail === 'ended' ? 'trial_ended' : 'trial_ending'
        await queueMail(trx, services, { to: ownerEmail, kind, facts, organizationId })
      })
    }
    return notices.length
  })
}
