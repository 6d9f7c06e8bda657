import { describe, expect, it } from 'vitest'
import { connect, rows } from '#platform/db/db.ts'
import { writeSetAside } from '#platform/set-aside/work-store.ts'
import { eventually } from '#testing/eventually.ts'
import { samplesOf } from '#testing/features/metrics.ts'
import { startReceiver } from '#testing/features/receiver.ts'
import { makeNumber, makeOrganization, makeToken } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'
import { openMetrics } from './metrics.ts'
import { scraper } from './snapshot.ts'
import { version } from './version.ts'

const server = await startTestServer()
const { services } = server

/** A scrape of its own, so that no figure is an earlier one. */
async function scrape(): Promise<Map<string, number>> {
  return samplesOf((await scraper(services)()).body)
}

describe('the figures of a service', () => {
  it('count requests, sends, attempts and numbers, and report what is pending', async () => {
    const receiver = await startReceiver((_request, number) => (number === 1 ? 500 : 200))
    const organization = await makeOrganization(server)
    const { apiKey } = organization
    const containerId = await makeNumber(server, organization)
    await makeNumber(server, organization, { linked: false })
    const client = server.client({ apiKey })
    await client.webhook.set({ webhookUrl: receiver.url })
    await client.alert.send({ phone: '+12025550100', message: 'one' })
    await client.alert.sendLocation({ phone: '+12025550100', latitude: 1, longitude: 2 })
    await expect(client.alert.sendLocation({ phone: '+12025550111', latitude: 1, longitude: 2 })).rejects.toThrow()
    await receiver.arrived(2)
    const found = await eventually(
      scrape,
      (seen) => (seen.get('msgctl_sends_total{via="queue",outcome="sent"}') ?? 0) > 0,
    )
    expect(Object.fromEntries(found)).toMatchObject({
      'msgctl_http_requests_total{route="POST /alert/send",status="201"}': 1,
      'msgctl_http_requests_total{route="POST /alert/send-location",status="201"}': 1,
      'msgctl_http_requests_total{route="POST /alert/send-location",status="502"}': 1,
      'msgctl_http_request_duration_seconds_count{route="POST /alert/send-location"}': 2,
      'msgctl_sends_total{via="queue",outcome="sent"}': 1,
      'msgctl_sends_total{via="direct",outcome="sent"}': 1,
      'msgctl_sends_total{via="direct",outcome="failed"}': 1,
      'msgctl_webhook_attempts_total{outcome="refused"}': 1,
      'msgctl_numbers{status="WORKING"}': 1,
      'msgctl_numbers{status="SCAN_QR_CODE"}': 1,
      'msgctl_messages{status="failed"}': 1,
      'msgctl_messages{status="queued"}': 0,
      'msgctl_messages_overdue_seconds{status="queued"}': 0,
      msgctl_database_up: 1,
    })
    expect(found.get('msgctl_webhook_deliveries_pending')).toBeGreaterThan(0)
    const text = [...found.keys()].join('\n')
    for (const hidden of [organization.organizationId, containerId, '2025550100']) expect(text).not.toContain(hidden)
  })

  it('show how long messages waited, open streams, refused sign-ins and the pool', async () => {
    const organization = await makeOrganization(server)
    await makeNumber(server, organization)
    const client = server.client(organization)
    await client.alert.send({ phone: '+12025550100', message: 'one' })
    const stream = new AbortController()
    const events = client.events.stream({}, { signal: stream.signal })[Symbol.asyncIterator]()
    const next = events.next().catch(() => undefined)
    const open = 'msgctl_streams_open{route="GET /events/stream"}'
    await eventually(scrape, (seen) => seen.get(open) === 1)
    stream.abort()
    await next
    await eventually(scrape, (seen) => seen.get(open) === 0)
    await expect(
      server.client({}).auth.signIn({ email: 'nobody@example.com', password: 'a wrong password' }),
    ).rejects.toThrow()
    const found = await eventually(
      scrape,
      (seen) => (seen.get('msgctl_message_wait_seconds_count{type="alert"}') ?? 0) > 0,
    )
    expect(found.get('msgctl_sign_in_refused_total{reason="AUTH_ERROR"}')).toBe(1)
    await makeToken(server, organization)
    expect((await scrape()).get('msgctl_sessions')).toBe(1)
  })

  it('report how late messages and deliveries are', async () => {
    const idle = await startTestServer({ worker: false })
    const organization = await makeOrganization(idle)
    await makeNumber(idle, organization)
    const client = idle.client({ apiKey: organization.apiKey })
    await client.webhook.set({ webhookUrl: 'http://127.0.0.1:9999/' })
    await client.alert.send({ phone: '+12025550100', message: 'one' })
    await client.webhook.test({})
    for (const isSetAside of [true, true, false]) {
      await rows(
        idle.db,
        `insert into gateway_inbox (driver, host, event_id, container_id, organization_id, body, set_aside_at)
         select 'test', 'a', gen_random_uuid()::text, gen_random_uuid(), :organizationId, '',
                case when :isSetAside::boolean then service_now() end`,
        { organizationId: organization.organizationId, isSetAside },
      )
    }
    await writeSetAside(idle.db, 'mails', { id: '1', organizationId: organization.organizationId })
    await writeSetAside(idle.db, 'jobs', { id: 'mail.send', organizationId: null })
    await idle.advance(100)
    const found = samplesOf((await scraper(idle.services)()).body)
    expect(found.get('msgctl_messages{status="queued"}')).toBe(1)
    expect(found.get('msgctl_webhook_deliveries_pending')).toBe(1)
    expect(found.get('msgctl_network_reports_set_aside')).toBe(2)
    expect([found.get('msgctl_set_aside{kind="mails"}'), found.get('msgctl_set_aside{kind="jobs"}')]).toEqual([1, 1])
    for (const name of [
      'msgctl_network_reports_waiting_seconds',
      'msgctl_messages_overdue_seconds{status="queued"}',
      'msgctl_webhook_deliveries_overdue_seconds',
    ]) {
      expect(found.get(name)).toBeGreaterThan(80)
      expect(found.get(name)).toBeLessThan(130)
    }
  })

  it('say why numbers failed', async () => {
    const banned = await startTestServer({ worker: false })
    const organization = await makeOrganization(banned)
    const containerId = await makeNumber(banned, organization)
    await rows(banned.db, `update numbers set status = 'FAILED', status_reason = 'banned' where id = :containerId`, {
      containerId,
    })
    const found = samplesOf((await scraper(banned.services)()).body)
    expect(found.get('msgctl_numbers_failed{reason="banned"}')).toBe(1)
  })

  it('are read once for scrapes that follow each other, and left out while the database is away', async () => {
    const db = connect('postgres://nobody@127.0.0.1:1/none', { connectTimeoutMs: 200 })
    const metrics = openMetrics()
    metrics.setGauges({
      messages: { queued: 1 },
      queuedOverdueSeconds: 0,
      sendingOverdueSeconds: 0,
      numbers: {},
      numbersFailed: { banned: 1 },
      deliveriesPending: 1,
      deliveriesOverdueSeconds: 0,
      reportsWaitingSeconds: 0,
      reportsSetAside: 0,
      setAside: { mails: 1 },
      sessions: 0,
    })
    metrics.messageSent('queue', 'sent')
    const away = scraper({ db, log: services.log, metrics })
    const samples = samplesOf((await away()).body)
    await db.destroy()
    expect(Object.fromEntries(samples)).toEqual({
      msgctl_database_up: 0,
      [`msgctl_info{version="${version}"}`]: 1,
      'msgctl_sends_total{via="queue",outcome="sent"}': 1,
    })
    // The pool is gone: another look would fail differently, and would take its time.
    expect(samplesOf((await away()).body)).toEqual(samples)
  })
})
