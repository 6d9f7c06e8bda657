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

  return {
    kind: 'smtp',
    async send({ id, to, subject, text }) {
      opened ??= openTransport({ url, from, timeoutMs })
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

async function openTransport({ url, from, timeoutMs }: Required<SmtpSettings>): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  const settings = {
    url,
    // A file or an address in a mail is never read: its text comes from templates and names.
    disableFileAccess: true,
    disableUrlAccess: true,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // A password never leaves over a connection that an attacker kept from being encrypted.
    requireTLS: new URL(url).username !== '',
  }
  return createTransport(settings, { from })
}

/** Signs in to the mail server and sends nothing. Returns null, or the code of the failure. */
export async function findSmtpFault({ url, from, timeoutMs = defaultTimeoutMs }: SmtpSettings): Promise<string | null> {
  const transport = await openTransport({ url, from, timeoutMs })
  try {
    await transport.verify()
    return null
  } catch (error) {
    return reasonOf(error)
  } finally {
    transport.close()
  }
}

function reasonOf(error: unknown): string {
  // The message of the server can quote an address, so only the codes are kept.
  const { responseCode, code } = error as { responseCode?: number; code?: string }
  return responseCode === undefined ? (code ?? 'ERROR') : `${code ?? 'ERROR'} ${responseCode}`
}

/**
 * Only a permanent response about this mail is final: a wrong password of ours or a lost connection can be repaired.
 */
function toOutcome(error: unknown): MailOutcome {
  const { responseCode, code } = error as { responseCode?: number; code?: string }
  const isAboutMail = code === 'EENVELOPE' || code === 'EMESSAGE'
  return { status: isAboutMail && (responseCode ?? 0) >= 500 ? 'refused' : 'later', reason: reasonOf(error) }
}
