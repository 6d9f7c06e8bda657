import { describe, expect, it, vi } from 'vitest'
import { createLogger } from './log.ts'

function logged(write: (log: ReturnType<typeof createLogger>) => void, level = 'info') {
  const lines: string[] = []
  write(createLogger(level, { write: (line) => lines.push(line) }))
  return { text: lines.join(''), lines: lines.map((line) => JSON.parse(line)) }
}

describe('the log', () => {
  it('is lost, and holds up nothing, once the terminal it goes to was closed', () => {
    const log = createLogger('info')
    const write = vi.spyOn(process.stdout, 'write').mockImplementation(() => {
      process.stdout.emit('error', Object.assign(new Error('write EIO'), { code: 'EIO' }))
      return false
    })
    try {
      log.info({ event: 'listening' }, 'this line is lost')
      log.info({ event: 'listening' }, 'so is this one')
      expect(write).toHaveBeenCalledTimes(2)
    } finally {
      write.mockRestore()
    }
  })

  it('is readable at a terminal with LOG_FORMAT=pretty', () => {
    const lines: string[] = []
    const log = createLogger('info', { write: (line) => lines.push(line) }, 'pretty')
    log.info({ event: 'request', route: 'GET /me', status: 200, apiKey: 'canary' }, 'request')
    log.error({ event: 'job_failed', err: new Error('no space left'), job: 'events.purge' }, 'periodic job failed')
    expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d\.\d{3} INFO {2}request route=GET \/me status=200 apiKey=\[hidden\]\n$/)
    expect(lines[1]).toMatch(/ERROR periodic job failed job=events\.purge\n {2}Error: no space left\n {6}at /)
  })

  it.each([
    [{ apiKey: 'canary' }],
    [{ body: { password: 'canary' } }],
    [{ request: { headers: { authorization: 'canary', 'x-api-key': 'canary' } } }],
    [{ headers: { 'x-api-key': 'canary' } }],
    [{ phone: 'canary', recipient: 'canary' }],
    [{ message: { text: 'canary', content: 'canary' } }],
    [{ signingSecret: 'canary', token: 'canary', otp: 'canary' }],
    [{ webhook: { webhookUrl: 'canary', url: 'canary' } }],
    [{ messages: [{ recipient: 'canary' }] }],
  ])('hides %j', (fields) => {
    const { text } = logged((log) => log.info({ event: 'request', ...fields }, 'something happened'))
    expect(text).toContain('something happened')
    expect(text).not.toContain('canary')
  })

  it('hides in the line alone, and leaves what it was handed as it is', () => {
    const fields = { event: 'request' as const, organizationId: 'o', request: { phone: '12025550100', route: 'r' } }
    const { lines } = logged((log) => log.info(fields, 'x'))
    expect(lines[0]).toMatchObject({ organizationId: 'o', request: { phone: '[hidden]', route: 'r' } })
    expect(fields.request.phone).toBe('12025550100')
  })

  it('logs the helpful fields of an error, and never the row that a database error quotes', () => {
    const error = Object.assign(new Error('duplicate key', { cause: new Error('below') }), {
      code: '23505',
      constraint: 'users_email',
      detail: 'Key (email)=(canary) already exists.',
      where: 'canary',
    })
    const { text, lines } = logged((log) => log.error({ event: 'request_failed', err: error }, 'failed'))
    expect(lines[0].err).toMatchObject({
      message: 'duplicate key',
      code: '23505',
      constraint: 'users_email',
      stack: expect.stringContaining('log.test'),
      cause: { message: 'below' },
    })
    expect(text).not.toContain('canary')
  })

  it('writes nothing below its level', () => {
    expect(logged((log) => log.info({ event: 'request' }, 'x'), 'warn').lines).toEqual([])
  })

  it('names levels by their word', () => {
    expect(logged((log) => log.warn({ event: 'request' }, 'x')).lines[0]).toMatchObject({ level: 'warn', msg: 'x' })
  })

  it('takes only event codes of the list', () => {
    // @ts-expect-error: the code is unknown.
    expect(logged((log) => log.warn({ event: 'no_such_event' }, 'x')).lines).toHaveLength(1)
  })
})
