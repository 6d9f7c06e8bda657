import { newSecretsKeys } from '@msgctl/network/secrets'
import { describe, expect, it, onTestFinished } from 'vitest'
import { formatCursor } from '#events/cursor.ts'
import { rows } from '#platform/db/db.ts'
import { RestoredDatabaseError } from '#platform/db/restored-error.ts'
import { readConfig } from '#process/config.ts'
import { restoreText } from '#process/operator/restore-command.ts'
import { startServer } from '#process/start.ts'
import { startServices } from '#process/start-services.ts'
import { restoredCopy } from '#testing/database.ts'
import { eventually } from '#testing/eventually.ts'
import { people } from '#testing/features/campaign-people.ts'
import { startReceiver } from '#testing/features/receiver.ts'
import { makeNumber, makeOrganization, makeToken } from '#testing/make.ts'
import { post } from '#testing/mcp/ai-client.ts'
import { registerClient } from '#testing/mcp/consent.ts'
import { settled } from '#testing/settled.ts'
import { transcriptOf } from '#testing/sim.ts'
import { serveDatabase, startTestServer } from '#testing/start-server.ts'
import { answerRestore } from './after-restore.ts'

const env = { SECRETS_KEYS: newSecretsKeys() }
const queued = 20

/** A service at the moment of its backup: of everything that it sends, something is about to leave. */
async function makeOriginal() {
  // Without a worker all of it stays due.
  const server = await startTestServer({ worker: false, env })
  await server.services.clock.freeze()
  const receiver = await startReceiver()
  const organization = await makeOrganization(server)
  const containerId = await makeNumber(server, organization)
  await makeNumber(server, organization)
  const client = server.client(organization)
  const inAMinute = new Date(server.services.clock.now().getTime() + 60_000).toISOString()
  const recipients = Array.from({ length: queued }, (_, n) => `1202555${String(3000 + n)}`)
  await client.alert.batch({ recipients, message: 'queued in the backup', containerId })
  const claimed = await client.alert.send({ phone: '12025553100', message: 'claimed in the backup', containerId })
  const sending = await client.campaigns.create({ name: 'Sending', template: 'hi', recipients: people(5) })
  await client.campaigns.send({ id: sending.campaign.id })
  const scheduled = await client.campaigns.create({
    name: 'Scheduled',
    template: 'hi',
    recipients: people(5),
    scheduledAt: inAMinute,
  })
  const texts = { phone: '12025553200', message: 'due in the backup', sendAt: inAMinute }
  const once = await client.reminders.create(texts)
  const daily = await client.reminders.create({ ...texts, repeat: 'daily' })
  await server.advance(120)
  const otp = await client.otp.send({ phone: '12025553300' })
  await client.webhook.set({ webhookUrl: receiver.url })
  await client.webhook.test()
  await rows(
    server.db,
    `update messages set status = 'sending', lease_token = gen_random_uuid(), lease_until = service_now()
      where organization_id = :organizationId and id = :id`,
    { organizationId: organization.organizationId, id: claimed.messageId },
  )
  const token = await makeToken(server, organization)
  const ai = await (await registerClient(server)).connect({ token })
  return {
    server,
    organization,
    token,
    ai,
    receiver,
    containerId,
    requestId: otp.requestId,
    claimed: claimed.messageId,
    sending: sending.campaign.id,
    scheduled: scheduled.campaign.id,
    once: once.reminder.id,
    daily: daily.reminder.id,
  }
}

const original = await makeOriginal()
const { containerId, organization, receiver } = original
await original.server.stop()
const sentBefore = 1 // the one-time code, which leaves inside its request

describe('a restored database', () => {
  it('is served by no process, and not again by those that were connected to it', async () => {
    const { db, url } = await restoredCopy(original.server.databaseUrl)
    const config = readConfig({ ...env, NODE_ENV: 'test', PORT: '0', LOG_LEVEL: 'silent', DATABASE_URL: url })
    await expect(startServer(config)).rejects.toBeInstanceOf(RestoredDatabaseError)
    const lines: string[] = []
    const logTo = { write: (line: string) => void lines.push(line) }
    const starting = startServices({ ...config, logLevel: 'info' }, url, { logTo })
    await expect(starting).rejects.toBeInstanceOf(RestoredDatabaseError)
    expect(lines).toEqual([])
    await answerRestore(db, { nothingLost: true, force: false })
    const server = await startServer(config)
    await rows(db, `update database_identity set identity = 'of the backup'`)
    await rows(
      db,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
        and pid <> pg_backend_pid()`,
    )
    await eventually(
      () => fetch(`${server.http?.address}/readyz`),
      ({ status }) => status === 503,
    )
    await server.stop(1000)
  })

  it('sends nothing after the answer until people decide, and then everything once', async () => {
    const { db, url } = await restoredCopy(original.server.databaseUrl)
    const answer = await answerRestore(db, { nothingLost: false, force: false })
    expect(answer).toEqual({
      stopped: true,
      queuesHeld: 1,
      messagesHeld: queued + 1,
      held: [
        expect.objectContaining({
          organizationId: organization.organizationId,
          containerId,
          messages: queued + 1,
          oldestAt: expect.any(Date),
        }),
      ],
      campaignsPaused: 1,
      campaignsMadeDrafts: 1,
      remindersSkipped: 2,
      deliveriesDropped: 1,
      // About the AI client.
      mailsGivenUp: 1,
      codesExpired: 1,
      sessionsEnded: 1,
      aiConnectionsEnded: 1,
      reportsSetAside: 0,
    })
    const [held = expect.fail()] = answer.held
    expect(restoreText(answer)).toMatch(
      new RegExp(`${held.organization} +${held.organizationId} +${held.label} +21 +${held.oldestAt.toISOString()}\n`),
    )
    const server = await serveDatabase(db, url, { env })
    onTestFinished(() => server.stop())
    const client = server.client(organization)
    await server.advance(3600)
    await settled(db)
    expect(await transcriptOf(server, containerId)).toHaveLength(sentBefore)
    // The receipts of the code and the held queue are news; nothing else is.
    const news = receiver.received
      .filter(({ body }) => !body.includes('12025553300'))
      .map(({ body }) => JSON.parse(body))
    expect(news).toMatchObject([{ event: 'number.warning', data: { reason: 'queue_held', containerId } }])
    expect(news[0].data.message).toMatch(
      /^The service was restored from a backup\. Messages that were queued are held: 21, /,
    )
    expect((await client.campaigns.status({ id: original.sending })).status).toBe('paused')
    const statuses = (await client.reminders.list()).reminders.map(({ id, status }) => [id, status])
    expect(Object.fromEntries(statuses)).toEqual({ [original.once]: 'failed', [original.daily]: 'scheduled' })
    await expect(client.otp.verify({ requestId: original.requestId, code: '000000' })).rejects.toMatchObject({
      code: 'OTP_EXPIRED',
    })
    await expect(server.client({ token: original.token }).account.me()).rejects.toMatchObject({ status: 401 })
    const headers = { Authorization: `Bearer ${original.ai.access_token}` }
    expect((await post(server.address, 'tools/list', { headers })).status).toBe(401)

    // A reader that got further than the backup misses none of the events from here on.
    const cursor = formatCursor(1000)
    expect(await client.numbers.release({ containerId, action: 'send' })).toMatchObject({ messages: queued + 1 })
    await settled(db)
    const sent = (await transcriptOf(server, containerId)).slice(sentBefore)
    expect(new Set(sent.map(({ to }) => to)).size).toBe(queued + 1)
    expect(sent).toHaveLength(queued + 1)
    expect((await client.events.list({ after: cursor, types: 'message.delivered' })).events).toHaveLength(
      queued + 1 + sentBefore,
    )
  })

  it('holds a message that the backup was sending, so that discarding the queue ends it too', async () => {
    const { db, url } = await restoredCopy(original.server.databaseUrl)
    await answerRestore(db, { nothingLost: false, force: false })
    // No worker: nothing but the answer can have queued it again.
    const server = await serveDatabase(db, url, { env, worker: false })
    onTestFinished(() => server.stop())
    const client = server.client(organization)
    expect(await client.numbers.release({ containerId, action: 'discard' })).toMatchObject({ messages: queued + 1 })
    const waiting = `select id from messages where status in ('queued', 'sending') and campaign_id is null`
    expect(await rows(db, waiting)).toEqual([])
    const { timeline } = await client.messages.get({ id: original.claimed })
    expect(timeline.map(({ step }) => step)).toEqual(['queued', 'attempt', 'failed'])
  })

  it('keeps everything due when nothing happened since the backup', async () => {
    const { db, url } = await restoredCopy(original.server.databaseUrl)
    const answer = await answerRestore(db, { nothingLost: true, force: false })
    expect(answer).toMatchObject({ stopped: false, queuesHeld: 0 })
    expect(await rows(db, `select status from messages where status in ('queued', 'sending')`)).toHaveLength(queued + 6)
    const server = await serveDatabase(db, url, { env, worker: false })
    await server.stop()
  })

  it('is the only one that can be answered without force', async () => {
    const { db } = await restoredCopy(original.server.databaseUrl)
    await answerRestore(db, { nothingLost: true, force: false })
    await expect(answerRestore(db, { nothingLost: false, force: false })).rejects.toThrow('does not look restored')
    expect(await answerRestore(db, { nothingLost: false, force: true })).toMatchObject({ queuesHeld: 1 })
  })
})
