import { afterAll, describe, expect, it } from 'vitest'
import { startMailServer } from '#testing/features/mail-server.ts'
import type { MailOutcome } from './mailer.ts'
import { smtpMailer } from './smtp.ts'

const login = { user: 'ada', password: 'a password' }
const [encrypted, plain] = [await startMailServer({ startTls: true, login }), await startMailServer({ login })]
/** The certificate of the test's server is its own. */
const trusting = '?tls.rejectUnauthorized=false'

/** Sends a mail by the settings of an address. */
async function send(url: string): Promise<MailOutcome> {
  const mailer = smtpMailer({ url, from: 'Msgctl <no-reply@example.com>', timeoutMs: 2000 })
  afterAll(() => mailer.close())
  return mailer.send({ id: '1', to: 'max@example.com', subject: 'Hello', text: 'hello' })
}

/** The address of a server with a login. */
function withLogin(url: string, { user, password } = login): string {
  return url.replace('smtp://', `smtp://${user}:${encodeURIComponent(password)}@`)
}

describe('a mail server that asks for a password', () => {
  it('gets it after STARTTLS, and the mail over the encrypted connection', async () => {
    expect(await send(withLogin(encrypted.url) + trusting)).toEqual({ status: 'sent' })
    expect(encrypted.logins).toEqual([{ user: 'ada', isEncrypted: true }])
    expect(encrypted.received.map(({ isEncrypted, to }) => [isEncrypted, to])).toEqual([[true, ['max@example.com']]])
  })

  it('never gets it over a connection that is not encrypted', async () => {
    expect(await send(withLogin(plain.url))).toMatchObject({ status: 'later', reason: expect.stringContaining('ETLS') })
    expect(plain.logins).toEqual([])
    expect(plain.received).toEqual([])
  })

  it('never gets it with a certificate that no authority signed', async () => {
    const before = encrypted.logins.length
    expect((await send(withLogin(encrypted.url))).status).toBe('later')
    expect(encrypted.logins).toHaveLength(before)
  })

  it('is tried again later after a wrong one, which the operator can correct', async () => {
    const wrong = withLogin(encrypted.url, { ...login, password: 'wrong' }) + trusting
    expect(await send(wrong)).toEqual({ status: 'later', reason: 'EAUTH 535' })
  })
})
