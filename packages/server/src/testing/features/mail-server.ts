import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { cleanUpAfterFile } from '#testing/cleanup.ts'

/** How the server treats the mails to an address. */
export type MailRefusal = 'temporary' | 'permanent' | 'hangs' | 'drops'

/** A mail as it arrived. */
interface ReceivedMail {
  readonly to: readonly string[]
  /** By lower-case name; a folded one is one line. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** Whether it came over an encrypted connection. */
  readonly isEncrypted: boolean
}

/** How the server lets senders in. */
export interface MailServerOptions {
  /** Offers STARTTLS with a certificate of its own (default: false). */
  readonly startTls?: boolean
  /** The only user, and the password (default: anyone may send). */
  readonly login?: { readonly user: string; readonly password: string }
}

/** A real SMTP server on this machine. */
export interface MailServer {
  readonly url: string
  /** Every login that a client tried, and whether the connection was encrypted. */
  readonly logins: { readonly user: string; readonly isEncrypted: boolean }[]
  readonly received: ReceivedMail[]
  /** Refuses the mails to an address in this way; undefined accepts them. */
  refuse(address: string, refusal: MailRefusal | undefined): void
}

/** Starts a mail server for the calling test file. */
export async function startMailServer({ startTls = false, login }: MailServerOptions = {}): Promise<MailServer> {
  const logins: MailServer['logins'] = []
  const refusals = new Map<string, MailRefusal>()
  const received: ReceivedMail[] = []
  const server = new SMTPServer({
    authOptional: login === undefined,
    // A server that asks for a password over a plain connection too, as a careless one does.
    allowInsecureAuth: true,
    disabledCommands: startTls ? [] : ['STARTTLS'],
    onAuth({ username, password }, session, callback) {
      logins.push({ user: username ?? '', isEncrypted: session.secure })
      if (username === login?.user && password === login?.password) return callback(null, { user: username })
      callback(Object.assign(new Error('wrong password'), { responseCode: 535 }))
    },
    logger: false,
    closeTimeout: 100,
    onRcptTo({ address }, session, callback) {
      const refusal = refusals.get(address)
      if (refusal === undefined) return callback()
      if (refusal === 'hangs') return
      if (refusal === 'drops') {
        for (const connection of server.connections) if (connection.id === session.id) connection.close()
        return
      }
      const [code, text] = refusal === 'temporary' ? [451, 'try again later'] : [550, `no such user ${address}`]
      callback(Object.assign(new Error(String(text)), { responseCode: Number(code) }))
    },
    async onData(stream, session, callback) {
      const chunks: Buffer[] = []
      for await (const chunk of stream) chunks.push(chunk as Buffer)
      received.push(
        parse(
          Buffer.concat(chunks).toString(),
          session.envelope.rcptTo.map(({ address }) => address),
          session.secure,
        ),
      )
      callback()
    },
  })
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanUpAfterFile(() => new Promise<void>((resolve) => server.close(resolve)))
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    received,
    logins,
    refuse(address, refusal) {
      if (refusal === undefined) refusals.delete(address)
      else refusals.set(address, refusal)
    },
  }
}

function parse(message: string, to: string[], isEncrypted: boolean): ReceivedMail {
  const end = message.indexOf('\r\n\r\n')
  const lines = message
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  return { to, isEncrypted, headers, text: decode(message.slice(end + 4), headers['content-transfer-encoding']) }
}

function decode(text: string, encoding: string | undefined): string {
  if (encoding !== 'quoted-printable') return text
  const bytes = text
    .replace(/=\r\n/g, '')
    .replace(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
