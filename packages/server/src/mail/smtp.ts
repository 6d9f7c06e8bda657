import type { Transporter } from 'nodemailer'
import type { Mailer, MailOutcome } from './mailer.ts'

/** How to reach the mail server, and how long each step of a delivery may take. */
export interface SmtpSettings {
  /** Like `smtps://user:password@mail.example.com`. */
  readonly url: string
  /** The From header, like `Msgctl <no-reply@example.com>`. */
  readonly from: string
  /** Default: 10,000. */
  readonly timeoutMs?: number
}

const defaultTimeoutMs = 10_000

/** Creates the driver for a mail server. The library is loaded with the first mail. */
export function smtpMailer({ url, from, timeoutMs = defaultTimeoutMs }: SmtpSettings): Mailer {
  let opened: Promise<Transporter> | undefined

  async function open(): Promise<Transporter> {
    const { createTransport } = await import('nodemailer')
    const settings = {
      url,
      // A file or an address in a mail is never read: its text comes from templates and names.
      disableFileAccess: true,
      disableUrlAccess: true,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
    }
    return createTransport(settings, { from })
  }

  return {
    kind: 'smtp',
    async send({ id, to, subject, text }) {
      opened ??= open()
      const transport = await opened
      try {
        // The same id at each attempt, by which a mail client recognizes a repeat.
        await transport.sendMail({ to: { name: '', address: to }, subject, text, messageId: `<${id}@msgctl>` })
        return { status: 'sent' }
      } catch (error) {
        return toOutcome(error)
      }
    },
    onKept: () => undefined,
    async close() {
      if (opened) (await opened).close()
    },
  }
}

/** Only a permanent response about this mail is final: a wrong password of ours or a lost connection can be repaired. */
function toOutcome(error: unknown): MailOutcome {
  // The message of the server can quote the address, so only the codes are kept.
  const { responseCode, code } = error as { responseCode?: number; code?: string }
  const reason = responseCode === undefined ? (code ?? 'ERROR') : `${code ?? 'ERROR'} ${responseCode}`
  const isAboutMail = code === 'EENVELOPE' || code === 'EMESSAGE'
  return { status: isAboutMail && (responseCode ?? 0) >= 500 ? 'refused' : 'later', reason }
}
