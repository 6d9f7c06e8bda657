import { describe, expect, it } from 'vitest'
import { retryAtOnce, testMachine } from '../testing/machine.ts'
import { listenForTest, refusal, scriptedServer } from '../testing/scripted-server.ts'
import { startService } from '../testing/service.ts'
import { nodeTransport } from './transport.ts'

const makeWorkspace = await startService()

const apiKey = `msk_${'a1'.repeat(32)}`

function request(url: string, anonymous: boolean) {
  const { origin } = new URL(url)
  const transport = nodeTransport({ origin, anonymous })
  const { signal } = new AbortController()
  return transport(url, {
    method: 'GET',
    headers: { 'x-api-key': apiKey, authorization: 'Bearer t', accept: 'application/json' },
    redirect: 'manual',
    signal,
  })
}

describe('an address that is not the API', () => {
  it.each([
    ['send +12025550100 hi', 'POST'],
    ['account me', 'GET'],
  ])('is reported as such when it speaks no TLS: %s', async (words) => {
    retryAtOnce()
    const { origin } = await scriptedServer({})
    const env = { MSG_API_KEY: apiKey, MSG_BASE_URL: `${origin.replace('http:', 'https:')}/api/v1` }
    const { stderr, exitCode } = await testMachine().run(words.split(' '), { env })
    expect(stderr).toMatch(/^Error: .*wrong version number\nWhat to do: This port does not speak TLS\. .*\n\(CONN/)
    expect(exitCode).toBe(8)
  })

  it.each([
    ['send +12025550100 hi', 'POST'],
    ['account me', 'GET'],
  ])('is reported as such when it responds without content: %s', async (words) => {
    const origin = await listenForTest((_request, response) => void response.writeHead(204).end())
    const env = { MSG_API_KEY: apiKey, MSG_BASE_URL: `${origin}/api/v1` }
    const { stderr } = await testMachine().run(words.split(' '), { env })
    expect(stderr).toContain('it has no body')
    expect(stderr).toContain('(INVALID_RESPONSE)')
    expect(stderr).not.toContain('bug')
  })
})

describe('a clock that differs from that of the service', () => {
  it.each([
    [-10, ['ahead of']],
    [10, ['behind']],
    [0.2, []],
  ])('by %d min is reported with a plan, because +2h counts by it', async (minutes, expected) => {
    const { run, script } = await makeWorkspace()
    const date = new Date(Date.now() + minutes * 60_000).toUTCString()
    const refused = refusal(400, 'VALIDATION_ERROR', 'sendAt must be at most 5 minutes in the past')
    script({ 'POST /api/v1/reminders': () => ({ ...refused, headers: { date } }) })
    const { stderr } = await run('reminders create +12025550100 hello --at +2h')
    const reports = [...stderr.matchAll(/^The clock of this machine is 10 min (ahead of|behind) that of the service/gm)]
    expect(reports.map(([, direction]) => direction)).toEqual(expected)
  })
})

describe('a key that no header can carry', () => {
  it('is a usage error that names where it comes from', async () => {
    const env = { MSG_API_KEY: `Bearer ${apiKey}`, MSG_BASE_URL: 'http://127.0.0.1:1/api/v1' }
    const { stderr, exitCode } = await testMachine().run(['account', 'me'], { env })
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(/^Error: The key of the environment has a blank.*\nWhat to do: .*without Bearer/)
    expect(stderr).not.toContain(apiKey)
  })
})

describe('a key goes to one host only', () => {
  it('refuses a request to any other, before a byte is sent', async () => {
    const other = await scriptedServer({})
    const transport = nodeTransport({ origin: 'https://here.example', anonymous: false })
    const { signal } = new AbortController()
    const sent = { method: 'GET', headers: { 'x-api-key': apiKey }, redirect: 'manual' as const, signal }
    await expect(transport(`${other.origin}/api/v1/me`, sent)).rejects.toThrow(/was refused/)
    expect(other.seen).toEqual([])
  })

  it('does not follow a redirect to another host', async () => {
    const other = await scriptedServer({})
    const { origin } = await scriptedServer({
      'GET /api/v1/me': () => ({ status: 302, headers: { location: `${other.origin}/api/v1/me` } }),
    })
    const machine = testMachine()
    const env = { MSG_API_KEY: apiKey, MSG_BASE_URL: `${origin}/api/v1` }
    const ran = await machine.run(['account', 'me', '--json'], { env })
    expect(JSON.parse(ran.stderr)).toMatchObject({ error: { code: 'REDIRECTED' } })
    expect(other.seen).toEqual([])
  })

  it('sends the key of a profile neither to a given address nor to the simulator controls', async () => {
    const stranger = await scriptedServer({})
    const service = await makeWorkspace()
    const { machine } = service
    const login = ['login', '--with-key', '--base-url', service.baseUrl]
    expect(await machine.run(login, { stdin: service.apiKey })).toMatchObject({ exitCode: 0 })
    const lured = await machine.run(['messages', 'list', '--base-url', `${stranger.origin}/api/v1`])
    expect(lured.exitCode).toBe(4)
    expect(stranger.seen).toEqual([])
    await machine.run(['sim', 'clock'])
    const clock = service.seen.filter(({ path }) => path === '/sim/clock')
    expect(clock.map(({ headers }) => headers['x-api-key'])).toEqual([undefined])
  })

  it('signs in without the key that happens to be in the environment', async () => {
    const service = await makeWorkspace()
    const { machine } = service
    const { email, password } = service.owner
    const argv = ['login', '--base-url', service.baseUrl, '--email', email, '--password-stdin']
    await machine.run(argv, { stdin: password, env: { MSG_API_KEY: apiKey } })
    const [first] = service.seen
    expect(first).toMatchObject({ path: '/api/v1/auth/sign-in', body: { email, password } })
    expect(first?.headers).not.toHaveProperty('x-api-key')
  })

  it('never shows a key in an explanation or a list of profiles', async () => {
    const service = await makeWorkspace()
    const { machine } = service
    const { apiKey: key } = service
    await machine.run(['login', '--with-key', '--base-url', service.baseUrl], { stdin: key })
    for (const argv of [
      ['config', 'explain'],
      ['config', 'list'],
      ['config', 'explain', '--json'],
    ]) {
      const ran = await machine.run(argv, { env: { MSG_API_KEY: key } })
      expect(ran.stdout).toContain(key.slice(0, 10))
      expect(ran.stdout + ran.stderr).not.toContain(key.slice(0, 16))
    }
  })
})

describe('the transport over node:http', () => {
  it('takes keys and tokens off an anonymous request', async () => {
    const server = await scriptedServer({ 'GET /me': () => ({ body: {} }) })
    await request(`${server.origin}/me`, true)
    await request(`${server.origin}/me`, false)
    const [anonymous, known] = server.seen.map(({ headers }) => headers)
    expect(anonymous).not.toHaveProperty('x-api-key')
    expect(anonymous).not.toHaveProperty('authorization')
    expect(known).toMatchObject({ 'x-api-key': apiKey, authorization: 'Bearer t' })
  })

  it('says by a code of Node that nothing was sent when the connection is refused', async () => {
    const { origin } = await scriptedServer({})
    await expect(request(`${origin.replace(/:\d+$/, ':1')}/me`, true)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  it('ends a request when its signal aborts', async () => {
    const { origin } = await scriptedServer({ 'GET /slow': () => ({ events: [': wait\n\n'] }) })
    const stop = new AbortController()
    const transport = nodeTransport({ origin, anonymous: true })
    const sent = { method: 'GET', headers: {}, redirect: 'manual' as const, signal: stop.signal }
    const { body } = await transport(`${origin}/slow`, sent)
    const read = (async () => {
      for await (const _chunk of body as AsyncIterable<Uint8Array>) stop.abort()
    })()
    await expect(read).rejects.toThrow()
  })
})
