import { webhookBody, webhookHeaders } from '@msgctl/contract'
import { newSecretsKeys, openSecrets } from '@msgctl/network/secrets'
import { verify } from '@msgctl/webhook-verifier'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { requestReplay } from '#events/replay.ts'
import { regenerateSecret, removeWebhook, setWebhook } from '#events/webhook/configuration/configure.ts'
import { rows } from '#platform/db/db.ts'
import { attempted, deliveryBench } from '#testing/features/deliveries.ts'
import { idOf, startReceiver } from '#testing/features/receiver.ts'

const { services, start, subscriber, appendSamples, stored, settled, later } = await deliveryBench()
const { db, clock, wake } = services

describe('one delivery', () => {
  it('carries exactly the headers and the body of the specification', async () => {
    const receiver = await startReceiver()
    const { organizationId, secret } = await subscriber(receiver.url)
    start()
    await appendSamples(organizationId)
    await receiver.arrived(1)
    const [{ rawHeaders, headers, body } = expect.fail()] = receiver.received
    const named = rawHeaders.filter((_, at) => at % 2 === 0)
    const unmarked = Object.keys(webhookHeaders('session.needs_scan').shape).filter(
      (name) => !/Replay|Sample/.test(name),
    )
    for (const name of unmarked) expect(named).toContain(name)
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Acme/1.0',
      'x-service-event': 'session.needs_scan',
    })
    expect(headers).not.toHaveProperty('x-service-replay')
    expect(headers).not.toHaveProperty('x-service-sample')
    expect(Object.keys(JSON.parse(body)).sort()).toEqual(['data', 'event', 'timestamp'])
    expect(webhookBody('session.needs_scan').parse(JSON.parse(body))).toMatchObject({
      timestamp: clock.now().toISOString(),
    })
    const verified = await verify(body, headers, secret)
    expect(verified).toMatchObject({ event: 'session.needs_scan', deliveryId: headers['x-service-delivery'] })
    expect(await settled(organizationId, (row) => row.status === 'delivered')).toMatchObject({
      attempts: 1,
      lastStatus: 200,
      lastError: null,
      finishedAt: clock.now(),
      attemptLog: [{ status: 200, error: null, at: clock.now().toISOString() }],
    })
  })

  it('is refused by the verifier when one byte of the body was changed', async () => {
    const receiver = await startReceiver()
    const { organizationId, secret } = await subscriber(receiver.url)
    start()
    await appendSamples(organizationId)
    await receiver.arrived(1)
    const [{ headers, body } = expect.fail()] = receiver.received
    const changed = body.replace('SCAN_QR_CODE', 'SCAN_QR_CODF')
    await expect(verify(changed, headers, secret)).rejects.toMatchObject({ reason: 'no_matching_signature' })
  })

  it('is signed with the time of the machine, however far the service clock was moved', async () => {
    const receiver = await startReceiver()
    const { organizationId, secret } = await subscriber(receiver.url)
    await clock.advance(86_400)
    start()
    await appendSamples(organizationId)
    await receiver.arrived(1)
    const [{ headers, body } = expect.fail()] = receiver.received
    await expect(verify(body, headers, secret)).resolves.toBeDefined()
  })

  it('is unsigned without encryption on the server', async () => {
    const unsealed = { ...services, secrets: openSecrets(undefined) }
    const receiver = await startReceiver()
    const { organizationId } = await subscriber(receiver.url, unsealed)
    start({}, unsealed)
    await appendSamples(organizationId)
    await receiver.arrived(1)
    expect(receiver.received[0]?.headers).not.toHaveProperty('x-service-signature')
  })

  it('fails, and never goes unsigned, when the server lacks the key of the secret', async () => {
    const receiver = await startReceiver()
    const { organizationId } = await subscriber(receiver.url)
    const other = openSecrets(newSecretsKeys().replace('1:', '2:'))
    start({}, { ...services, secrets: other })
    await appendSamples(organizationId)
    const row = await settled(organizationId, attempted(1))
    expect(row).toMatchObject({ status: 'pending', lastError: 'The server could not decrypt the signing secret.' })
    expect(receiver.received).toEqual([])
  })

  it('fails when it cannot be signed, and gives its slot back', async () => {
    const receiver = await startReceiver()
    const { organizationId } = await subscriber(receiver.url)
    const sealed = services.secrets.encrypt('not a signing secret', `webhooks:secret:${organizationId}`)
    await rows(db, 'update webhooks set secret = :sealed where organization_id = :organizationId', {
      sealed,
      organizationId,
    })
    start({ limits: { fast: 1, slow: 1, perEndpoint: 1 } })
    await appendSamples(organizationId)
    const row = await settled(organizationId, attempted(1))
    expect(row).toMatchObject({ status: 'pending', lastError: 'The server could not build the request.' })
    expect(receiver.received).toEqual([])
    await later(6)
    await settled(organizationId, attempted(2))
  })

  it('goes to the address as it is at the attempt', async () => {
    const [first, second] = [await startReceiver(() => 500), await startReceiver()]
    const { organizationId, change } = await subscriber(first.url)
    start()
    await appendSamples(organizationId)
    await settled(organizationId, attempted(1))
    await setWebhook(services, change, second.url)
    await later(6)
    await second.arrived(1)
    expect(first.received).toHaveLength(1)
    expect(second.received.map(idOf)).toEqual(first.received.map(idOf))
  })

  it('is dropped without an attempt once the address was removed', async () => {
    const receiver = await startReceiver(() => 500)
    const { organizationId, change } = await subscriber(receiver.url)
    start()
    await appendSamples(organizationId)
    await settled(organizationId, attempted(1))
    await removeWebhook(services, change)
    await later(6)
    const row = await settled(organizationId, ({ status }) => status === 'dropped')
    expect(row).toMatchObject({ attempts: 1, finishedAt: clock.now() })
    expect(row.lastError).toContain('removed')
    expect(receiver.received).toHaveLength(1)
  })

  it('does not reach a private address that was saved while it was allowed', async () => {
    const receiver = await startReceiver()
    const { organizationId } = await subscriber(receiver.url)
    const info = vi.spyOn(services.log, 'info')
    onTestFinished(() => info.mockRestore())
    start({}, { ...services, config: { ...services.config, allowPrivateTargets: [] } })
    await appendSamples(organizationId)
    const row = await settled(organizationId, attempted(1))
    expect(row).toMatchObject({ status: 'pending', lastStatus: null })
    expect(row.lastError).toContain('could not be reached at a public address')
    // Only the operator is given the cause.
    const logged = {
      event: 'webhook_unanswered',
      organizationId,
      cause: expect.stringMatching(/private|public|refused/),
    }
    expect(info.mock.calls.map(([fields]) => fields)).toContainEqual(expect.objectContaining(logged))
    await later(6)
    await settled(organizationId, attempted(2))
    const lines = info.mock.calls.filter(([fields]) => fields.event === 'webhook_unanswered')
    expect(lines).toHaveLength(1)
    expect(receiver.received).toEqual([])
  })
})

describe('signing secrets', () => {
  async function receivedAfter(overlapSeconds: number, waitSeconds: number) {
    const receiver = await startReceiver()
    const { organizationId, change, secret: old } = await subscriber(receiver.url)
    const fresh = await regenerateSecret(services, change, overlapSeconds)
    await clock.advance(waitSeconds)
    start()
    await appendSamples(organizationId)
    await receiver.arrived(1)
    const [{ body, headers } = expect.fail()] = receiver.received
    const verifies = (secret: string) =>
      verify(body, headers, secret).then(
        () => true,
        () => false,
      )
    return { old: await verifies(old), fresh: await verifies(fresh), header: String(headers['x-service-signature']) }
  }

  it('are replaced at once', async () => {
    expect(await receivedAfter(0, 0)).toMatchObject({ old: false, fresh: true, header: /^t=\d+,v1=[0-9a-f]{64}$/ })
  })

  it('overlap for the requested time, with one v1 each, the new one first', async () => {
    const during = await receivedAfter(60, 59)
    expect(during).toMatchObject({ old: true, fresh: true })
    expect(during.header).toMatch(/^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/)
    expect(await receivedAfter(60, 61)).toMatchObject({ old: false, fresh: true })
  })
})

describe('a replay', () => {
  it('is a delivery of its own with the same id and X-Service-Replay, and leaves the first one as it was', async () => {
    const receiver = await startReceiver()
    const { organizationId } = await subscriber(receiver.url)
    start()
    await appendSamples(organizationId)
    const first = await settled(organizationId, ({ status }) => status === 'delivered')
    await clock.advance(60)
    await requestReplay(db, organizationId, idOf(receiver.received[0] ?? expect.fail()))
    wake.signal('deliveries')
    await receiver.arrived(2)
    const [original, replayed] = receiver.received
    expect(replayed?.headers['x-service-replay']).toBe('true')
    expect(replayed?.body).toBe(original?.body)
    expect(replayed && idOf(replayed)).toBe(original && idOf(original))
    expect((await stored(organizationId))[0]).toEqual(first)
  })
})
