import { afterAll, describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { type MailRefusal, startMailServer } from '#testing/features/mail-server.ts'
import { testServices } from '#testing/services.ts'
import { queueMail } from './queue.ts'
import { sendDueMails } from './send.ts'
import { smtpMailer } from './smtp.ts'

const mailServer = await startMailServer()
const settings = { url: mailServer.url, from: 'Msgctl <no-reply@example.com>' }
const mailer = smtpMailer(settings)
/** Waits briefly, for servers that never respond. On a busy machine others may also be too late for it. */
const hasty = smtpMailer({ ...settings, timeoutMs: 300 })
afterAll(async () => void (await Promise.all([mailer.close(), hasty.close()])))
const services = await testServices({ services: { mailer } })
const { db, clock } = services

let people = 0

/** Queues a mail to an address of its own. */
async function queued(name = 'Ada', organization?: string): Promise<string> {
  people += 1
  const to = `person-${people}@example.com`
  if (organization === undefined) await queueMail(db, services, { to, kind: 'password_changed', facts: { name } })
  else {
    const facts = { organization, inviter: name, role: 'member', link: 'https://example.com/account#join=token' }
    await queueMail(db, services, { to, kind: 'invite', facts })
  }
  return to
}

async function stored(to: string) {
  const [mail] = await rows<{ attempts: number; body: string | null; sent: boolean; failed: boolean; error: string }>(
    db,
    `select attempts, sealed_body as body, sent_at is not null as sent, failed_at is not null as failed, error
       from mails where to_email = :to`,
    { to },
  )
  return mail
}

const received = (to: string) => mailServer.received.filter((mail) => mail.to.includes(to))

describe('mails through a mail server', () => {
  it('arrive once each, in order, as plain text, and their text is erased', async () => {
    const addresses = [await queued(), await queued(), await queued()]
    await Promise.all([sendDueMails(services), sendDueMails(services)])
    const arrived = mailServer.received.filter(({ to }) => addresses.some((one) => to.includes(one)))
    expect(arrived.map(({ to }) => to[0]).sort()).toEqual([...addresses].sort())
    expect(arrived[0]?.headers).toMatchObject({
      from: 'Msgctl <no-reply@example.com>',
      subject: 'Your password for Msgctl was changed',
      'content-type': expect.stringContaining('text/plain'),
    })
    expect(arrived[0]?.text).toContain('Hello Ada,')
    for (const to of addresses) expect(await stored(to)).toMatchObject({ attempts: 1, body: null, sent: true })
  })

  it.each<[MailRefusal, 'later' | 'failed']>([
    ['temporary', 'later'],
    ['permanent', 'failed'],
    ['hangs', 'later'],
    ['drops', 'later'],
  ])('meet a server that refuses: %s', async (refusal, outcome) => {
    const to = await queued()
    mailServer.refuse(to, refusal)
    await sendDueMails(refusal === 'hangs' ? { ...services, mailer: hasty } : services)
    expect(received(to)).toEqual([])
    const mail = await stored(to)
    expect(mail).toMatchObject({ attempts: 1, sent: false, failed: outcome === 'failed', error: expect.any(String) })
    expect(mail?.body === null).toBe(outcome === 'failed')
    expect(mail?.error).not.toContain(to)
    mailServer.refuse(to, undefined)
    await clock.advance(61)
    await sendDueMails(services)
    expect(received(to)).toHaveLength(outcome === 'later' ? 1 : 0)
  })

  it('are given up after six attempts within 12 hours, and then erased', async () => {
    const to = await queued()
    mailServer.refuse(to, 'temporary')
    for (let attempt = 0; attempt < 8; attempt += 1) {
      await sendDueMails(services)
      await clock.advance(4 * 3600)
      await sendDueMails(services)
      await clock.advance(6 * 3600)
    }
    expect(await stored(to)).toMatchObject({ attempts: 6, body: null, failed: true })
  })

  it('carry no header, link or second line that a name brings', async () => {
    const evil = 'Eve\r\nBcc: victim@example.com\r\n\r\nBuy at https://spam.example/now or spam.example'
    const to = await queued(evil, evil)
    await sendDueMails(services)
    const [mail] = received(to)
    expect(mail?.to).toEqual([to])
    expect(mail?.headers.bcc).toBeUndefined()
    expect(mail?.text.match(/https?:\/\/\S+/g)).toEqual(['https://example.com/account#join=token'])
    expect(`${mail?.headers.subject}${mail?.text}`).not.toContain('spam.example')
    expect(mail?.headers.subject?.length).toBeLessThan(120)
  })

  it('are not sent twice when the process that claimed them dies, before its lease ends', async () => {
    const to = await queued()
    await rows(
      db,
      `update mails set attempts = 1, lease_until = service_now() + interval '2 min' where to_email = :to`,
      { to },
    )
    await sendDueMails(services)
    expect(received(to)).toEqual([])
    await clock.advance(121)
    await sendDueMails(services)
    expect(received(to)).toHaveLength(1)
  })
})
