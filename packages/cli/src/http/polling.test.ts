import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { retryAtOnce, testMachine } from '../testing/machine.ts'
import { refusal, scriptedServer } from '../testing/scripted-server.ts'
import { startService } from '../testing/service.ts'

const makeWorkspace = await startService()

const id = '0190c1d2-0000-7000-8000-0000000000aa'

/** A service whose message is read through `respond`, called with the number of the read. */
async function serviceWith(respond: (count: number) => ReturnType<typeof refusal>, key = 'msk_test_key') {
  let count = 0
  const readMessage = () => {
    count += 1
    return respond(count)
  }
  const server = await scriptedServer({
    'POST /api/v1/alert/send': () => ({
      status: 201,
      body: { success: true, messageId: id, status: 'queued', priority: 'normal', containerId: id },
    }),
    'GET /api/v1/messages/:id': readMessage,
    'GET /api/v1/alert/messages/:id': readMessage,
  })
  return { server, env: { MSG_API_KEY: key, MSG_BASE_URL: `${server.origin}/api/v1` } }
}

const at = (status: string) => ({ body: { success: true, message: { id, status, error: null }, timeline: [] } })
const send = ['send', '+12025550100', 'hi', '--output', 'plain', '--fields', 'status', '--quiet', '--wait']

describe('send --wait', () => {
  it('keeps polling after a failed read, because the message has been accepted', async () => {
    retryAtOnce()
    const { env } = await serviceWith((count) =>
      count < 5 ? refusal(500, 'INTERNAL_ERROR', 'Something went wrong.') : at('delivered'),
    )
    expect(await testMachine().run([...send, 'delivered'], { env })).toMatchObject({
      exitCode: 0,
      stdout: 'delivered\n',
    })
  })

  it.each([
    [401, 'AUTH_ERROR'],
    [403, 'UNKNOWN'],
    [404, 'UNKNOWN'],
    [429, 'UNKNOWN'],
  ])('prints what was queued and ends with 12 when reading is refused with %i %s', async (status, code) => {
    const { env } = await serviceWith(() =>
      code === 'UNKNOWN' ? { status, body: 'Go away.' } : refusal(status, code, 'The key is not valid.'),
    )
    const argv = ['send', '+12025550100', 'hi', '--wait', 'read', '--json', '--fields', 'id,status']
    const { stdout, stderr, exitCode } = await testMachine().run(argv, { env })
    expect([JSON.parse(stdout), exitCode]).toEqual([{ id, status: 'queued' }, 12])
    expect(JSON.parse(stderr).error).toMatchObject({
      code: 'WAIT_GAVE_UP',
      message: expect.stringMatching(/^The message was queued, but its status could not be read: /),
      details: { messageId: id, reason: { code } },
    })
  })

  it.each([
    ['send', '--wait', 'read'],
    ['numbers', 'link'],
    ['numbers', 'watch', '--until', 'WORKING'],
    ['campaigns', 'watch', id],
    ['contacts', 'sync', '--wait'],
  ])('%s %s ends when --timeout is over, also while the service is silent', async (...words) => {
    const machine = testMachine()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const silence = () => {
      void machine.clock.advance(1_000)
      vi.advanceTimersByTime(1_000)
      return { events: [] }
    }
    const accepted = { success: true, messageId: id, status: 'queued', priority: 'normal', containerId: id }
    const { origin } = await scriptedServer({
      'POST /api/v1/alert/send': () => ({ status: 201, body: accepted }),
      'POST /api/v1/contacts/sync': () => ({ body: { success: true, importing: true } }),
      'GET /api/v1/session/status': () => ({ body: { containerId: id, status: 'SCAN_QR_CODE' } }),
      'GET /.*': silence,
    })
    const argv = words[0] === 'send' ? ['send', '+12025550100', 'hi', ...words.slice(1)] : words
    const env = { MSG_API_KEY: 'msk_test_key', MSG_BASE_URL: `${origin}/api/v1` }
    const { stderr, exitCode } = await machine.run([...argv, '--timeout', '1s', '--json'], { env })
    expect([exitCode, JSON.parse(stderr).error.code]).toEqual([12, 'WAIT_TIMED_OUT'])
  })

  it('takes a later state for an earlier one', async () => {
    const { env } = await serviceWith(() => at('read'))
    expect(await testMachine().run([...send, 'sent'], { env })).toMatchObject({ exitCode: 0, stdout: 'read\n' })
  })

  it('reads with a key of one number by the path such a key may use', async () => {
    const { env, server } = await serviceWith(() => at('sent'), 'msn_test_key')
    expect(await testMachine().run([...send, 'sent'], { env })).toMatchObject({ exitCode: 0 })
    expect(server.seen.at(-1)?.path).toBe(`/api/v1/alert/messages/${id}`)
  })

  it('polls often at first and then less, for 60 seconds', async () => {
    const machine = testMachine()
    const { env, server } = await serviceWith(() => at('sent'))
    const start = machine.clock.now()
    expect(await machine.run([...send, 'read'], { env })).toMatchObject({ exitCode: 12 })
    expect(machine.clock.now() - start).toBe(60_000)
    expect(server.seen.length).toBeGreaterThan(20)
    expect(server.seen.length).toBeLessThan(50)
  })

  it('ends with 130 when it is interrupted', async () => {
    const { env } = await serviceWith(() => at('sent'))
    const stop = new AbortController()
    const ran = await testMachine().run(
      [...send, 'read', '--json'].filter((word) => word !== '--output' && word !== 'plain'),
      {
        env,
        signal: stop.signal,
        onWait: () => stop.abort(),
      },
    )
    expect(ran.exitCode).toBe(130)
    // As last read, not as it was accepted.
    expect(JSON.parse(ran.stdout)).toEqual({ status: 'sent' })
    expect(JSON.parse(ran.stderr)).toMatchObject({ error: { code: 'INTERRUPTED', details: { messageId: id } } })
  })

  it('sends the idempotency key and says when the answer is a repeated one', async () => {
    const { origin, seen } = await scriptedServer({
      'POST /api/v1/alert/send': () => ({
        status: 201,
        headers: { 'idempotency-replayed': 'true' },
        body: { success: true, messageId: id, status: 'queued', priority: 'normal', containerId: id },
      }),
    })
    const env = { MSG_API_KEY: 'msk_test_key', MSG_BASE_URL: `${origin}/api/v1` }
    const ran = await testMachine().run(['send', '+12025550100', 'hi', '--idempotency-key', 'order-17'], { env })
    expect(seen[0]?.headers['idempotency-key']).toBe('order-17')
    expect(ran.stderr).toContain('nothing was sent again')
  })
})

describe('chats reply --read', () => {
  it('ends with 9 and says that the reply was queued when the chat may not be marked', async () => {
    const { origin } = await scriptedServer({
      'POST /api/v1/alert/send': () => ({
        status: 201,
        body: { success: true, messageId: id, status: 'queued', priority: 'normal', containerId: id },
      }),
      'POST /api/v1/chats/.*': () => refusal(403, 'PRODUCT_REQUIRED', 'This needs the product connect.'),
    })
    const env = { MSG_API_KEY: 'msk_test_key', MSG_BASE_URL: `${origin}/api/v1` }
    const argv = ['chats', 'reply', '+12025550100', 'hi', '--read', '--json', '--fields', 'messageId']
    const { stdout, stderr, exitCode } = await testMachine().run(argv, { env })
    expect([JSON.parse(stdout), exitCode]).toEqual([{ messageId: id }, 9])
    expect(JSON.parse(stderr).error).toMatchObject({
      code: 'NOT_MARKED_READ',
      message: 'The reply was queued, but the chat was not marked as read: This needs the product connect.',
      details: { messageId: id, reason: { code: 'PRODUCT_REQUIRED' } },
    })
  })
})

describe('numbers link', () => {
  it('draws each QR once, and ends with 11 when it is not scanned', async () => {
    let reads = 0
    const { origin } = await scriptedServer({
      'GET /api/v1/session/status': () => ({ body: { containerId: id, status: 'SCAN_QR_CODE' } }),
      'GET /api/v1/session/qr': () => {
        reads += 1
        if (reads > 4) return { body: { status: 'FAILED', message: 'The code was not scanned.', hint: 'Start again.' } }
        const text = `sim:${Math.ceil(reads / 2)}`
        return { body: { status: 'SCAN_QR_CODE', qr: { text, expiresInSeconds: 60, message: 'Scan it.' } } }
      },
    })
    const env = { MSG_API_KEY: 'msk_test_key', MSG_BASE_URL: `${origin}/api/v1` }
    const ran = await testMachine().run(['numbers', 'link'], { env })
    expect(ran.exitCode).toBe(11)
    expect(ran.stdout).toBe('')
    const tops = ran.stderr.split('\n').filter((line) => /^\s*█▀▀▀▀▀█.*█▀▀▀▀▀█\s*$/.test(line))
    expect(tops).toHaveLength(2)
  })

  it.each([
    [24, 80, 0],
    [40, 50, 0],
    [34, 69, 1],
    [33, 69, 0],
    [34, 68, 0],
  ])('in a window of %i rows and %i columns draws a whole QR or none: %i', async (rows, columns, count) => {
    const stop = new AbortController()
    const { origin } = await scriptedServer({
      'GET /api/v1/session/status': () => ({ body: { containerId: id, status: 'SCAN_QR_CODE' } }),
      'GET /api/v1/session/qr': () => ({
        body: { status: 'SCAN_QR_CODE', qr: { text: 'x'.repeat(230), expiresInSeconds: 60, message: 'Scan it.' } },
      }),
    })
    const env = { MSG_API_KEY: 'msk_test_key', MSG_BASE_URL: `${origin}/api/v1`, NO_COLOR: '1' }
    const shown = { env, signal: stop.signal, notesOnTerminal: true, rows, columns, onWait: () => stop.abort() }
    const { stderr } = await testMachine().run(['numbers', 'link'], shown)
    expect(stderr.split('\n').filter((line) => line.includes('█▀▀▀▀▀█'))).toHaveLength(2 * count)
    expect(stderr.includes('needs a window of')).toBe(count === 0)
    if (count === 0) expect(stderr).toMatch(/msgctl numbers link -o qr\.png.*msgctl open numbers/)
  })
})

describe('numbers link after two links that failed', () => {
  it.each([['link'], ['pair', '+12025550100']])(
    'says to stop instead of numbers %s, unless --again is there',
    async (...words) => {
      let started = 0
      const { origin } = await scriptedServer({
        'GET /api/v1/session/status': () => ({
          body: { containerId: id, status: 'FAILED', linkWarning: 'Stop, and read this: two links failed.' },
        }),
        'POST /api/v1/session/start': () => {
          started += 1
          return refusal(503, 'GATEWAY_UNREACHABLE', 'The host does not respond.')
        },
      })
      const env = { MSG_API_KEY: 'msk_test_key', MSG_BASE_URL: `${origin}/api/v1` }
      const stopped = await testMachine().run(['numbers', ...words], { env })
      expect(stopped.exitCode).toBe(7)
      expect(stopped.stderr).toContain('Stop, and read this: two links failed.')
      expect(stopped.stderr).toContain(`msgctl numbers link ${id} --again`)
      expect(started).toBe(0)
      const again = await testMachine().run(['numbers', ...words, '--again'], { env })
      expect(again.stderr).not.toContain('Stop, and read this')
      expect(started).toBeGreaterThan(0)
    },
  )
})

describe('numbers link while the service restarts', () => {
  it('keeps polling, but fails immediately if the first read fails', async () => {
    retryAtOnce()
    let reads = 0
    let isUp = true
    const { origin } = await scriptedServer({
      'GET /api/v1/session/status': () => ({
        body: { containerId: id, status: reads > 0 ? 'WORKING' : 'STARTING', manager: { lastError: null } },
      }),
      'GET /api/v1/session/list': () => ({ body: { sessions: [] } }),
      'GET /api/v1/session/qr': () => {
        reads += 1
        // The client itself tries three times.
        if (!isUp || (reads > 1 && reads < 5)) return refusal(500, 'INTERNAL_ERROR', 'Something went wrong.')
        return { body: { status: reads === 1 ? 'STARTING' : 'already_connected', message: 'Wait.' } }
      },
    })
    const env = { MSG_API_KEY: 'msk_test_key', MSG_BASE_URL: `${origin}/api/v1` }
    const link = () => testMachine().run(['numbers', 'link', '--output', 'plain', '--fields', 'status'], { env })
    expect(await link()).toMatchObject({ exitCode: 0, stdout: 'WORKING\n' })
    isUp = false
    expect(await link()).toMatchObject({ exitCode: 1, stdout: '' })
  })
})

describe('the owner of a project file', () => {
  it('signs in once for many commands, and again when the sign-in has ended', async () => {
    const service = await makeWorkspace()
    const { machine } = service
    service.writeProjectFile()
    const signIns = () => service.seen.filter((request) => request.path.endsWith('/auth/sign-in')).length
    const add = async (label: string) => (await machine.run(['numbers', 'add', label])).exitCode
    expect([await add('one'), await add('two'), signIns()]).toEqual([0, 0, 1])
    // A token that was ended elsewhere.
    const token = service.seen.at(-1)?.headers.authorization ?? ''
    await fetch(`${service.baseUrl}/auth/sign-out`, { method: 'POST', headers: { authorization: token } })
    service.seen.length = 0
    expect([(await machine.run(['numbers', 'rename', 'one', 'three'])).exitCode, signIns()]).toEqual([0, 1])
    const shown = await machine.run(['config', 'explain', '--json'])
    expect(shown.stdout + shown.stderr).not.toContain(service.owner.password)
  })

  it('does not sign in for ever when the service keeps refusing', async () => {
    const service = await makeWorkspace()
    const { baseUrl, machine } = service
    const owner = { ...service.owner, password: 'wrong' }
    writeFileSync(path.join(machine.cwd, '.msgctl.json'), JSON.stringify({ baseUrl, owner }), { mode: 0o600 })
    expect(await machine.run(['numbers', 'add', 'one'])).toMatchObject({ exitCode: 4 })
    expect(service.seen).toHaveLength(1)
  })
})
