import type { Secrets } from '@msgctl/network/secrets'
import type { Log } from '#platform/log/log-events.ts'
import { localMailer } from './local.ts'
import { smtpMailer } from './smtp.ts'

/** A mail that is ready to leave. Plain text with at most one link. */
export interface Mail {
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** The result of one attempt: a mail server accepted it, may accept it later, or never will. */
export type MailOutcome =
  | { readonly status: 'sent' }
  | { readonly status: 'later' | 'refused'; readonly reason: string }

/** Sends mails. `local` keeps them in the outbox, `none` cannot send: no mail is queued then. */
export interface Mailer {
  readonly kind: 'local' | 'smtp' | 'none'
  send(mail: Mail): Promise<MailOutcome>
  /** Calls `listener` for each mail that stays in the local outbox. */
  onKept(listener: (mail: Mail) => void): void
  close(): Promise<void>
}

/** The settings that select a driver. */
export interface MailSettings {
  readonly production: boolean
  readonly mail: { readonly smtpUrl: string | null; readonly from: string }
}

/** Returns which driver the settings select, and why there is none. */
export function selectMailer(config: MailSettings, secrets: Secrets): { kind: Mailer['kind']; reason: string } {
  const { smtpUrl } = config.mail
  if (!secrets.available) return { kind: 'none', reason: 'SECRETS_KEYS is not set' }
  if (smtpUrl === null && config.production) return { kind: 'none', reason: 'SMTP_URL is not set' }
  return { kind: smtpUrl === null ? 'local' : 'smtp', reason: '' }
}

/**
 * Opens the driver that the settings select: SMTP_URL, else the local outbox outside of production. Without
 * SECRETS_KEYS the links in mails cannot be stored safely, so no mail is sent.
 */
export function openMailer(config: MailSettings, secrets: Secrets, log: Log): Mailer {
  const { kind, reason } = selectMailer(config, secrets)
  const { smtpUrl, from } = config.mail
  if (kind === 'none') return withoutMail(log, reason)
  return smtpUrl === null ? localMailer() : smtpMailer({ url: smtpUrl, from })
}

function withoutMail(log: Log, reason: string): Mailer {
  log.warn({ event: 'mail_off', reason }, `no mail is sent: ${reason}. Invitations respond with their link instead`)
  return {
    kind: 'none',
    send: async () => ({ status: 'later', reason }),
    onKept: () => undefined,
    close: async () => undefined,
  }
}
