import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { aNumber } from '#testing/features/number.ts'
import { startFileServer } from '#testing/file-server.ts'
import { makeNumberKey, makeToken } from '#testing/make.ts'
import { samples } from '#testing/sample-files.ts'
import { startTestServer } from '#testing/start-server.ts'
import { deleteExpiredHistory } from './history-store.ts'

// Without a worker nothing happens between two calls but what the test lets happen.
const server = await startTestServer({ worker: false })
const files = await startFileServer()
let phones = 0

async function working() {
  phones += 1
  const number = await aNumber(server, `1202555${String(6000 + phones)}`)
  await number.scan()
  await number.becomes('WORKING')
  return number
}

async function activityOf(organizationId: string): Promise<unknown[]> {
  return rows(
    server.db,
    `select action, actor_kind as "by", subject, details from activity_log
      where organization_id = :organizationId order by id`,
    { organizationId },
  )
}

describe('POST /session/reconnect', () => {
  it('connects again and keeps the link', async () => {
    const number = await working()
    const { client, containerId } = number
    expect(await client.numbers.reconnect()).toEqual({
      status: 'starting',
      message: expect.any(String),
      containerId,
    })
    expect(await client.numbers.status()).toMatchObject({ status: 'WORKING', me: { id: expect.any(String) } })
    await number.applyNetworkState()
    expect((await number.history()).slice(-2)).toEqual(['WORKING STARTING reconnect user', 'STARTING WORKING  network'])
    expect(await number.events()).toEqual([])
    expect(await activityOf(number.organizationId)).toContainEqual(
      expect.objectContaining({ action: 'number.reconnected', subject: containerId }),
    )
  })

  it('is refused to a stopped number and to one that waits for its QR', async () => {
    const number = await working()
    await number.client.numbers.stop()
    await expect(number.client.numbers.reconnect()).rejects.toMatchObject({
      status: 400,
      code: 'FORBIDDEN_ACTION',
      details: { reason: 'stopped', status: 'STOPPED' },
    })
    const waiting = await aNumber(server, '12025556999')
    await waiting.applyNetworkState()
    await expect(waiting.client.numbers.reconnect()).rejects.toMatchObject({
      status: 409,
      code: 'SESSION_NOT_CONNECTED',
      details: { status: 'SCAN_QR_CODE' },
    })
  })

  it('is taken by a key of the number, for its own number whatever it names', async () => {
    const [number, other] = [await working(), await working()]
    const key = await makeNumberKey(server, number.organization, number.containerId)
    const answer = await server.client({ apiKey: key }).numbers.reconnect({ containerId: other.containerId })
    expect(answer.containerId).toBe(number.containerId)
    expect((await other.client.numbers.status()).status).toBe('WORKING')
  })

  it('leaves a number to the supervisor when the network cannot be reached', async () => {
    const number = await working()
    await number.control('host-down')
    await expect(number.client.numbers.reconnect()).rejects.toMatchObject({ status: 503, code: 'GATEWAY_UNREACHABLE' })
    expect((await number.client.numbers.status()).status).toBe('STARTING')
  })
})

describe('a number whose failure the network never reported', () => {
  it('stops counting as connected when a send finds it down, without an event about the connection yet', async () => {
    const number = await working()
    await number.control('drop')
    const sent = number.client.alert.sendLocation({ phone: '12025550100', latitude: 1, longitude: 2 })
    await expect(sent).rejects.toMatchObject({ status: 503, code: 'GATEWAY_SESSION_ERROR' })
    await number.becomes('STARTING')
    expect((await number.history()).at(-1)).toBe('WORKING STARTING connection_lost network')
    expect((await number.events()).map(({ event }) => event)).toEqual(['message.failed'])
  })
})

describe('POST /session/logout', () => {
  it('ends the link, says what waits, and holds that when another phone is linked', async () => {
    const number = await working()
    const { client, containerId } = number
    await client.alert.send({ phone: '12025550100', message: 'waits' })
    expect(await client.numbers.logout()).toEqual({
      status: 'logged_out',
      message: expect.any(String),
      containerId,
      heldMessages: 1,
    })
    expect(await client.numbers.status()).toMatchObject({
      status: 'SCAN_QR_CODE',
      me: null,
      manager: { lastError: 'The link was ended, by a logout or on the phone. Scan the QR to link the number again.' },
      action: { type: 'scan_qr', canLogout: false },
    })
    expect((await number.events()).map(({ event }) => event)).toEqual(['session.needs_scan'])
    expect((await number.history()).at(-1)).toBe('WORKING SCAN_QR_CODE logged_out user')
    await number.control('scan', { phone: '12025556998' })
    await number.applyNetworkState()
    expect(await client.numbers.status()).toMatchObject({ status: 'WORKING', manager: { queuesPaused: true } })
    const owner = server.client({ token: await makeToken(server, number.organization) })
    expect(await owner.numbers.release({ containerId, action: 'send' })).toEqual({ success: true, messages: 1 })
    expect((await client.numbers.status()).manager.queuesPaused).toBe(false)
  })

  it('attributes the logout to the user even when the network reports it first', async () => {
    const number = await working()
    const { gateway } = server.services
    const logout = gateway.logout
    try {
      gateway.logout = async (session) => {
        const state = await logout(session)
        await number.applyNetworkState()
        return state
      }
      await number.client.numbers.logout()
    } finally {
      gateway.logout = logout
    }
    expect((await number.history()).at(-1)).toBe('WORKING SCAN_QR_CODE logged_out user')
    expect(await number.events()).toHaveLength(1)
  })

  it('forgets the link of a stopped number, which stays stopped', async () => {
    const number = await working()
    await number.client.numbers.stop()
    await number.client.numbers.logout()
    expect(await number.client.numbers.status()).toMatchObject({ status: 'STOPPED', me: null })
    await number.client.numbers.start()
    await number.applyNetworkState()
    expect((await number.client.numbers.status()).status).toBe('SCAN_QR_CODE')
  })

  it('is refused when there is no link, and changes nothing when the network cannot be reached', async () => {
    const waiting = await aNumber(server, '12025556997')
    await waiting.applyNetworkState()
    await expect(waiting.client.numbers.logout()).rejects.toMatchObject({ status: 409, code: 'SESSION_NOT_CONNECTED' })
    const number = await working()
    await number.control('host-down')
    await expect(number.client.numbers.logout()).rejects.toMatchObject({ status: 503, code: 'GATEWAY_UNREACHABLE' })
    expect((await number.client.numbers.status()).status).toBe('WORKING')
  })
})

describe('GET /session/history', () => {
  it('lists changes latest first, by pages', async () => {
    const number = await working()
    const { client, containerId } = number
    const all = await client.numbers.history()
    expect(all).toMatchObject({ containerId, total: 3, page: 1, history: [{ to: 'WORKING' }, {}, { from: null }] })
    expect(await client.numbers.history({ page: 2, limit: 2 })).toEqual({
      ...all,
      page: 2,
      limit: 2,
      history: all.history.slice(2),
    })
  })

  it('shows a number’s key its own number only', async () => {
    const [number, other] = [await working(), await working()]
    const key = await makeNumberKey(server, number.organization, number.containerId)
    const seen = await server.client({ apiKey: key }).numbers.history({ containerId: other.containerId })
    expect(seen.containerId).toBe(number.containerId)
  })
})

describe('the history of a number', () => {
  it('is kept for 90 days', async () => {
    const number = await working()
    await server.advance(89 * 86_400)
    await number.applyNetworkState()
    await deleteExpiredHistory(server.db)
    expect(await number.history()).toHaveLength(3)
    await server.advance(86_400)
    await number.client.numbers.stop()
    while ((await deleteExpiredHistory(server.db)) > 0);
    expect(await number.history()).toEqual(['WORKING STOPPED stopped user'])
  })
})

describe('/session/profile', () => {
  it('shows what others see of a number, and changes what is given', async () => {
    const { client, containerId } = await working()
    const before = await client.numbers.profile()
    expect(before).toMatchObject({ containerId, id: expect.stringContaining('@c.us'), pictureUrl: null })
    const renamed = await client.numbers.setProfile({ name: 'Corner Shop' })
    expect(renamed).toEqual({ ...before, name: 'Corner Shop' })
    await client.numbers.setProfile({ about: '' })
    expect(await client.numbers.profile()).toEqual({ ...renamed, about: '' })
  })

  it('hands the picture to the network as bytes, never the link', async () => {
    const { client, organizationId } = await working()
    const link = files.serve('/logo.png', samples.png)
    const { pictureUrl } = await client.numbers.setProfile({ pictureUrl: link })
    expect(pictureUrl).toMatch(/^https:/)
    expect(pictureUrl).not.toContain('logo.png')
    expect(files.requests.filter(({ path }) => path === '/logo.png')).toHaveLength(1)
    expect(await activityOf(organizationId)).toContainEqual(
      expect.objectContaining({ action: 'number.profile_changed', details: { fields: ['pictureUrl'] } }),
    )
  })

  it('refuses what is no picture, and links to private addresses', async () => {
    const { client } = await working()
    const pdf = files.serve('/logo.pdf', samples.pdf)
    await expect(client.numbers.setProfile({ pictureUrl: pdf })).rejects.toMatchObject({
      code: 'SEND_FILE_TYPE_NOT_ALLOWED',
    })
    await expect(client.numbers.setProfile({ pictureUrl: 'http://10.0.0.1/x.png' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      issues: [{ field: 'pictureUrl', code: 'invalid_url' }],
    })
  })

  it('responds with GATEWAY_SESSION_ERROR while the number is not connected', async () => {
    const number = await working()
    await number.control('drop')
    await expect(number.client.numbers.profile()).rejects.toMatchObject({ status: 503, code: 'GATEWAY_SESSION_ERROR' })
    await number.applyNetworkState()
    await expect(number.client.numbers.setProfile({ name: 'x' })).rejects.toMatchObject({
      status: 503,
      code: 'GATEWAY_SESSION_ERROR',
    })
  })
})
