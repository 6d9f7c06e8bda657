import * as z from 'zod'
import type { SimContext } from '#networks/simulator/context.ts'
import { openMail } from '#platform/mail/queue.ts'
import { listKeptMails } from '#platform/mail/store.ts'

/** Whose mails, and how many. */
export const outboxQuery = z.object({
  to: z.string().max(254).optional(),
  limit: z.coerce.number<number>().int().min(1).max(100).default(20),
})

/** Returns the mails of the local outbox with their texts, newest first. */
export async function readOutbox({ db, secrets }: SimContext, { to, limit }: z.infer<typeof outboxQuery>) {
  const kept = await listKeptMails(db, to ?? null, limit)
  return {
    mails: kept.map((mail) => {
      const { subject, text } = openMail(secrets, mail)
      const { id, kind, createdAt } = mail
      return { id, to: mail.to, kind, subject, text, createdAt }
    }),
  }
}
