import type { Secrets } from '@msgctl/network/secrets'
import type { Db } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'
import type { Services } from '#services.ts'
import type { Mail } from './mailer.ts'
import { insertMail } from './store.ts'
import { type MailFacts, type MailKind, type MailText, writeMail } from './texts.ts'

/** A mail to one address. `organizationId` is null for mails about a person. */
export interface MailRequest<K extends MailKind> {
  readonly to: string
  readonly kind: K
  readonly facts: MailFacts[K]
  readonly organizationId?: string
}

/** What storing a mail takes. */
export interface MailServices extends Pick<Services, 'secrets'> {
  readonly mailer: Pick<Services['mailer'], 'kind'>
  readonly config: Pick<Services['config'], 'serviceName'>
}

/** Stores a mail, in the transaction of the change that it reports. Returns false when the service sends no mail. */
export async function queueMail<K extends MailKind>(
  trx: Db,
  { mailer, secrets, config }: MailServices,
  { to, kind, facts, organizationId }: MailRequest<K>,
): Promise<boolean> {
  if (mailer.kind === 'none') return false
  const id = newId()
  const body = JSON.stringify(writeMail(kind, facts, config.serviceName))
  await insertMail(trx, {
    id,
    organizationId: organizationId ?? null,
    to,
    kind,
    sealedBody: secrets.encrypt(body, toBodyPlace(id)),
  })
  return true
}

/** Decrypts a stored mail. Throws when its key is missing. */
export function openMail(
  secrets: Secrets,
  { id, to, sealedBody }: Omit<Mail, keyof MailText> & { sealedBody: string },
): Mail {
  const { subject, text } = JSON.parse(secrets.decrypt(sealedBody, toBodyPlace(id))) as MailText
  return { id, to, subject, text }
}

/** Returns where the body of a mail is stored, for its encryption. */
export function toBodyPlace(id: string) {
  return `mails:body:${id}` as const
}
