import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { eventually } from '#testing/eventually.ts'
import { startReceiver } from '#testing/features/receiver.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { sim, transcriptOf } from '#testing/sim.ts'
import { startTestServer } from '#testing/start-server.ts'
import { type CrashPoint, crashPoints, onCrashPoint, parseCrash, peopleCrashPoints } from './crash-points.ts'
import { rows } from './db/db.ts'

const names = Object.keys(crashPoints) as CrashPoint[]

/** Every source of the product itself, as one text. */
function sources(): string {
  const folder = path.dirname(import.meta.dirname)
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/\.test\.ts$|(?:^|\/)testing\//.test(name))
    .map((name) => readFileSync(path.join(folder, name), 'utf8'))
    .join('\n')
}

describe('a crash point', () => {
  it('stands at one place of the code, under a name of the list', () => {
    const used = [...sources().matchAll(/\bcrashPoint\('([^']*)'\)/g)].map(([, name]) => name)
    expect(used.sort()).toEqual([...names, ...Object.keys(peopleCrashPoints)].sort())
  })

  it('is written with the time at which it is deadly', () => {
    expect(parseCrash('webhook.claimed:12')).toEqual({ point: 'webhook.claimed', nth: 12 })
    for (const wrong of ['', 'webhook.claimed', 'webhook.claimed:0', 'webhook.claimed:1x', 'toString:1', 'no.such:1'])
      expect(parseCrash(wrong), wrong).toBeUndefined()
  })

  it('is the work on items of certain owners, too', () => {
    expect(parseCrash('work:mails@a-1')).toEqual({ work: new Set(['mails@a-1']), waits: false })
    expect(parseCrash('wait:mails@a-1,jobs@mail.send')).toEqual({
      work: new Set(['mails@a-1', 'jobs@mail.send']),
      waits: true,
    })
    for (const wrong of ['work:', 'work:mails', 'work:mails@', 'sleep:mails@a', 'work:mails@a,'])
      expect(parseCrash(wrong), wrong).toBeUndefined()
  })

  it('is come by, whichever it is, when everything is sent that can be sent', async () => {
    const reached = new Set<CrashPoint>()
    onTestFinished(onCrashPoint((point) => void reached.add(point)))
    const server = await startTestServer({ env: { UNSAFE_DISABLE_PACING: 'false' } })
    const { advance, db } = server
    const organization = await makeOrganization(server)
    const containerId = await makeNumber(server, organization)
    const client = server.client(organization)
    const comeBy = (...points: CrashPoint[]) =>
      eventually(
        async () => {
          await advance(1)
          return points.filter((point) => !reached.has(point))
        },
        (missing) => missing.length === 0,
      )
    const inTwenty = () => new Date(server.services.clock.now().getTime() + 20_000).toISOString()
    const key = (idempotencyKey: string) => ({ idempotencyKey })
    await client.webhook.set({ webhookUrl: (await startReceiver()).url })

    const text = { message: 'hello', priority: 'high' } as const
    const { messageId } = await client.alert.send({ phone: '+12025550100', ...text }, key('send'))
    await client.alert.batch({ recipients: ['+12025550111', '+12025550112'], ...text }, key('batch'))
    await sim(server, 'POST inbound', { containerId, from: '+12025550100', text: 'hello' })
    const { requestId } = await client.otp.send({ phone: '+12025550121' }, key('code'))
    const [sent] = (await transcriptOf(server, containerId)).filter(({ to }) => to === '12025550121')
    await client.otp.verify({ requestId, code: JSON.stringify(sent?.content).match(/\b\d{6}\b/)?.[0] ?? '' })
    await client.reminders.create({ phone: '+12025550122', message: 'hello', sendAt: inTwenty() }, key('reminder'))

    const recipients = [{ phone: '+12025550123' }, { phone: '+12025550124' }, { phone: '+12025550100' }]
    const campaign = { name: 'Campaign', template: 'hello', recipients }
    const { id } = (await client.campaigns.create(campaign, key('campaign'))).campaign
    await client.campaigns.send({ id }, key('start'))
    await client.campaigns.pause({ id })
    await client.campaigns.resume({ id }, key('resume'))
    await client.campaigns.create({ ...campaign, scheduledAt: inTwenty() }, key('scheduled'))

    await comeBy('outcome.sent-written', 'receipt.committed', 'outcome.unsent-committed')
    // No receipt of it is on its way any more that would raise its status again.
    await eventually(
      () => client.messages.get({ id: messageId }),
      ({ message }) => message.status === 'read',
    )
    // What a worker that is gone has left.
    await rows(
      db,
      `update messages set status = 'sending', lease_token = :messageId, lease_until = service_now() - interval '1 s'
        where id = :messageId`,
      { messageId },
    )
    await comeBy(...names)
    await client.campaigns.status({ id })
  })
})
