import { once } from 'node:events'
import Koa from 'koa'
import pino from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import { errorEnvelope } from '#api/http/error-envelope.ts'
import { requestId } from '#api/http/response.ts'
import type { RequestState } from '#api/http/state.ts'
import { simRoutes } from '#networks/simulator/routes.ts'
import { testDatabase } from '#testing/database.ts'
import { testSimToken } from '#testing/sim.ts'
import { type Network, openNetwork } from '#testing/simulator/network.ts'
import { call, local } from '#testing/simulator/operate.ts'

const { db } = await testDatabase()

describe('who may operate the simulator', () => {
  it.each(['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])('lets %s through', async (remoteAddress) => {
    const network = await openNetwork(db)
    await expect(call(network, 'GET', '/sim/clock', {}, { remoteAddress })).resolves.toHaveProperty('now')
  })

  it.each(['10.0.0.1', '8.8.8.8', '::ffff:10.0.0.1', 'fe80::1', '0.0.0.0', 'nonsense', '', undefined])(
    'refuses the address %s',
    async (remoteAddress) => {
      const network = await openNetwork(db)
      await expect(call(network, 'GET', '/sim/clock', {}, { remoteAddress })).rejects.toMatchObject({
        code: 'ADMIN_ONLY',
        status: 403,
      })
    },
  )

  it.each(['localhost', 'localhost:3000', 'LOCALHOST:1', '127.0.0.1', '[::1]:3000'])(
    'lets the Host %s through',
    async (host) => {
      const network = await openNetwork(db)
      await expect(call(network, 'GET', '/sim/clock', {}, { headers: { ...local, host } })).resolves.toHaveProperty(
        'now',
      )
    },
  )

  it.each([
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example:80',
    'localhost@evil.example',
    '192.168.0.1',
    '',
    undefined,
  ])('refuses the Host %s', async (host) => {
    const network = await openNetwork(db)
    await expect(call(network, 'GET', '/sim/clock', {}, { headers: { ...local, host } })).rejects.toMatchObject({
      code: 'ADMIN_ONLY',
    })
  })

  it.each(['x-forwarded-for', 'x-forwarded-host', 'forwarded', 'x-real-ip', 'via'])(
    'refuses a request with %s',
    async (header) => {
      const network = await openNetwork(db)
      const headers = { ...local, [header]: '127.0.0.1' }
      await expect(call(network, 'POST', '/sim/clock/advance', { seconds: 1 }, { headers })).rejects.toMatchObject({
        code: 'ADMIN_ONLY',
      })
    },
  )

  it.each([
    ['https://evil.example', false],
    ['null', false],
    ['http://localhost:5173', true],
  ])('judges a page from %s: allowed %s', async (origin, allowed) => {
    const network = await openNetwork(db)
    const answer = call(network, 'GET', '/sim/clock', {}, { headers: { ...local, origin } })
    if (allowed) await expect(answer).resolves.toHaveProperty('now')
    else await expect(answer).rejects.toMatchObject({ code: 'ADMIN_ONLY' })
  })

  it('does not read the body of a caller without permission', async () => {
    const network = await openNetwork(db)
    let wasRead = false
    const body = async () => {
      wasRead = true
    }
    await expect(call(network, 'POST', '/sim/inbound', {}, { remoteAddress: '10.0.0.1', body })).rejects.toMatchObject({
      code: 'ADMIN_ONLY',
    })
    expect(wasRead).toBe(false)
  })
})

describe('over HTTP', () => {
  async function served(network: Network) {
    const app = new Koa<RequestState>()
    app
      .use(requestId)
      .use(errorEnvelope(pino({ level: 'silent' })))
      .use(simRoutes(network.ctx))
    const server = app.listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    return (path: string, { headers, ...init }: RequestInit = {}) =>
      fetch(`http://127.0.0.1:${port}${path}`, {
        ...init,
        headers: { 'x-sim-token': testSimToken, ...(headers as Record<string, string>) },
      })
  }

  it('responds with JSON that must not be cached, and passes other paths on', async () => {
    const get = await served(await openNetwork(db))
    const answer = await get('/sim/clock')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(await answer.json()).toEqual({ now: expect.stringMatching(/Z$/) })
    expect((await get('/api/v1/me')).status).toBe(404)
  })

  it.each([
    ['without a token', ''],
    ['with another token', `${testSimToken}x`],
  ])('refuses a caller %s, as a plain reverse proxy passes them on', async (_, token) => {
    const get = await served(await openNetwork(db))
    for (const path of ['/sim/transcript', '/sim/clock', '/sim/nothing']) {
      const answer = await get(path, { headers: { 'x-sim-token': token } })
      expect([answer.status, ((await answer.json()) as { error: { code: string } }).error.code]).toEqual([
        403,
        'ADMIN_ONLY',
      ])
    }
  })

  it.each([
    ['of another type', 'text/plain', '{"seconds":1}', 400, 'INVALID_JSON'],
    ['of a form', 'application/x-www-form-urlencoded', 'seconds=1', 400, 'INVALID_JSON'],
    ['that is no JSON', 'application/json', '{"seconds":', 400, 'INVALID_JSON'],
    ['with a wrong field', 'application/json', '{"seconds":"soon"}', 400, 'VALIDATION_ERROR'],
    ['of 70,000 bytes', 'application/json', `{"more":"${'x'.repeat(70_000)}"}`, 413, 'PAYLOAD_TOO_LARGE'],
  ])('refuses a body %s', async (_, type, body, status, code) => {
    const post = await served(await openNetwork(db))
    const answer = await post('/sim/clock/advance', { method: 'POST', headers: { 'content-type': type }, body })
    expect(answer.status).toBe(status)
    expect(await answer.json()).toMatchObject({
      success: false,
      error: { code, requestId: answer.headers.get('x-request-id') },
    })
  })
})
