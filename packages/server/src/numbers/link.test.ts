import { describe, expect, it } from 'vitest'
import { testsDirect } from '#testing/direct/test-gateway.ts'
import { makeNumber, makeNumberKey, makeOrganization, makeToken } from '#testing/make.ts'
import { sim } from '#testing/sim.ts'
import { startTestServer } from '#testing/start-server.ts'
import { applyState } from './connection/state.ts'

const server = await startTestServer({ worker: false })
const { gateway } = server.services

async function ground() {
  const organization = await makeOrganization(server)
  return { organization, client: server.client(organization) }
}

/** Applies the current state of a number on the network, as a worker would a moment later. */
async function applyNetworkState(organizationId: string, containerId: string): Promise<void> {
  const session = { organizationId, containerId }
  await applyState(server.services, { ...session, state: await gateway.state(session), source: 'network' })
}

/** A number that waits for its phone. */
async function waiting() {
  const { organization, client } = await ground()
  const containerId = await makeNumber(server, organization, { linked: false })
  await applyNetworkState(organization.organizationId, containerId)
  return { organization, client, containerId }
}

describe('GET /session/status', () => {
  it('responds with the full record, without `success`', async () => {
    const { organization, client } = await ground()
    const containerId = await makeNumber(server, organization)
    expect(await client.numbers.status()).toEqual({
      session: `number-${containerId}`,
      containerId,
      status: 'WORKING',
      connected: true,
      me: { id: expect.stringMatching(/^\d+@c\.us$/), pushName: expect.any(String) },
      engine: testsDirect ? 'direct' : 'simulator',
      manager: {
        retryCount: 0,
        maxRetries: 5,
        totalRecoveries: 0,
        totalFailures: 0,
        queuesPaused: false,
        lastHealthy: expect.any(String),
        connectedSince: expect.any(String),
        lastErrorAt: null,
        uptime: expect.stringMatching(/^\d+ s$/),
        uptimeSeconds: expect.any(Number),
        lastError: null,
      },
      action: { type: 'none', message: expect.any(String), canLogout: true },
      reason: null,
      reasonMessage: null,
      reasonCode: null,
      linkWarning: null,
      networkWarning: null,
      restrictedUntil: null,
      guard: null,
    })
  })

  it('says how long a number has been connected', async () => {
    const { organization, client } = await ground()
    await makeNumber(server, organization)
    await server.advance(3 * 3600 + 60)
    const { uptime, uptimeSeconds } = (await client.numbers.status()).manager
    expect(uptime).toMatch(/^3 h [12] min$/)
    expect(Math.floor(uptimeSeconds / 60)).toBe(180 + Number(uptime.split(' ')[2]))
  })

  it('is about the default number, the one asked for, or a key’s own one', async () => {
    const { organization, client } = await ground()
    const first = await makeNumber(server, organization, { linked: false })
    const second = await makeNumber(server, organization)
    const own = server.client({ apiKey: await makeNumberKey(server, organization, second) })
    expect((await client.numbers.status()).containerId).toBe(first)
    expect((await client.numbers.status({ containerId: second })).containerId).toBe(second)
    expect((await own.numbers.status({ containerId: first })).containerId).toBe(second)
  })

  it('distinguishes having no number from naming a number of another organization', async () => {
    const [{ client }, other] = [await ground(), await ground()]
    const containerId = await makeNumber(server, other.organization)
    await expect(client.numbers.status()).rejects.toMatchObject({ code: 'NO_SESSION_CONFIGURED', status: 400 })
    await expect(client.numbers.status({ containerId })).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404 })
  })
})

describe('GET /session/qr', () => {
  it('responds with a picture, or with the text that the phone scans for format=raw', async () => {
    const { organization, client, containerId } = await waiting()
    const picture = await client.numbers.qr()
    expect(picture).toMatchObject({ status: 'SCAN_QR_CODE', qr: { expiresInSeconds: 60, message: expect.any(String) } })
    const image = 'qr' in picture && 'image' in picture.qr ? picture.qr.image : ''
    const bytes = Buffer.from(image.replace('data:image/png;base64,', ''), 'base64')
    expect(bytes.subarray(1, 4).toString()).toBe('PNG')

    const { organizationId } = organization
    const now = await gateway.qr({ organizationId, containerId })
    expect(await client.numbers.qr({ format: 'raw' })).toMatchObject({ qr: { text: now?.text, expiresInSeconds: 60 } })
  })

  it('changes after a minute', async () => {
    const { client } = await waiting()
    const before = await client.numbers.qr({ format: 'raw' })
    await server.advance(61)
    const after = await client.numbers.qr({ format: 'raw' })
    expect(after.status).toBe('SCAN_QR_CODE')
    expect(after).not.toEqual(before)
  })

  it('says of a linked number that it is, and nothing else', async () => {
    const { organization, client } = await ground()
    await makeNumber(server, organization)
    expect(await client.numbers.qr()).toEqual({ status: 'already_connected' })
  })

  it('says what to do about a number that cannot be linked now', async () => {
    const { client, containerId } = await waiting()
    await client.numbers.stop({ containerId })
    expect(await client.numbers.qr()).toEqual({
      status: 'STOPPED',
      message: 'The number is STOPPED; there is no QR to scan.',
      hint: 'The number is stopped. Start it to use it.',
    })
  })

  it('asks the caller to wait when the QR was scanned and the network has not reported it yet', async () => {
    const { client, containerId } = await waiting()
    await sim(server, `POST numbers/${containerId}/scan`, {})
    expect(await client.numbers.qr()).toMatchObject({ status: 'STARTING', hint: expect.any(String) })
  })

  it('responds with GATEWAY_UNREACHABLE and the time to wait while the host is down', async () => {
    const { client, containerId } = await waiting()
    await sim(server, `POST numbers/${containerId}/host-down`, {})
    await expect(client.numbers.qr()).rejects.toMatchObject({
      code: 'GATEWAY_UNREACHABLE',
      status: 503,
      details: { retryAfterSeconds: 5 },
      retryAfterMs: 5000,
    })
  })
})

describe('POST /session/pair', () => {
  it('responds with a code of 8 characters that links the phone', async () => {
    const { organization, client, containerId } = await waiting()
    const answer = await client.numbers.pair({ phone: '+1 202 555 0042' })
    expect(answer).toEqual({
      status: 'code_sent',
      code: expect.stringMatching(/^[A-Z0-9]{8}$/),
      message: expect.any(String),
    })
    await applyNetworkState(organization.organizationId, containerId)
    expect(await client.numbers.status()).toMatchObject({ status: 'WORKING', me: { id: '12025550042@c.us' } })
  })

  it('passes on that the phone refused the code', async () => {
    const { client } = await waiting()
    await expect(client.numbers.pair({ phone: '12025550193' })).rejects.toMatchObject({
      code: 'GATEWAY_ERROR',
      status: 502,
      details: { reason: 'rejected' },
    })
  })

  it('refuses a number that is linked, and one that cannot be linked now', async () => {
    const { organization, client } = await ground()
    const linked = await makeNumber(server, organization)
    const starting = await makeNumber(server, organization, { linked: false })
    const pair = (containerId: string) => client.numbers.pair({ phone: '12025550042', containerId })
    await expect(pair(linked)).rejects.toMatchObject({
      code: 'FORBIDDEN_ACTION',
      details: { reason: 'already_linked' },
    })
    await expect(pair(starting)).rejects.toMatchObject({
      code: 'SESSION_NOT_CONNECTED',
      status: 409,
      details: { status: 'STARTING' },
    })
  })

  it('responds with SESSION_NOT_CONNECTED when the service has not received the report of a new link yet', async () => {
    const { client, containerId } = await waiting()
    await sim(server, `POST numbers/${containerId}/scan`, {})
    await expect(client.numbers.pair({ phone: '12025550042' })).rejects.toMatchObject({
      code: 'SESSION_NOT_CONNECTED',
      details: { status: 'STARTING' },
    })
  })

  it('takes no id ending in @lid', async () => {
    const { client } = await waiting()
    await expect(client.numbers.pair({ phone: '123456789012@lid' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      issues: [{ field: 'phone', code: 'invalid_phone' }],
    })
  })
})

describe('the number routes for members and keys', () => {
  it('let a member read, and keys, owners and admins change the link and the profile', async () => {
    const { organization, containerId } = await waiting()
    const own = server.client({ apiKey: await makeNumberKey(server, organization, containerId) })
    const member = server.client({ token: await makeToken(server, organization, 'member') })
    expect((await own.numbers.qr({ format: 'raw' })).status).toBe('SCAN_QR_CODE')
    expect((await member.numbers.status()).status).toBe('SCAN_QR_CODE')
    await expect(own.numbers.stop()).rejects.toMatchObject({ code: 'NUMBER_KEY_SCOPE' })
    const forbidden = { status: 403, code: 'ROLE_FORBIDDEN' }
    await expect(member.numbers.stop()).rejects.toMatchObject(forbidden)
    await expect(member.numbers.logout()).rejects.toMatchObject(forbidden)
    await expect(member.numbers.pair({ phone: '12025550042' })).rejects.toMatchObject(forbidden)
    await expect(member.numbers.setProfile({ name: 'New' })).rejects.toMatchObject(forbidden)
    await expect(member.numbers.release({ containerId, action: 'send' })).rejects.toMatchObject(forbidden)
    expect((await own.numbers.pair({ phone: '12025550042' })).status).toBe('code_sent')
    await applyNetworkState(organization.organizationId, containerId)
    expect((await own.numbers.setProfile({ name: 'New' })).name).toBe('New')
    const admin = server.client({ token: await makeToken(server, organization, 'admin') })
    expect((await admin.numbers.logout()).status).toBe('logged_out')
  })
})
