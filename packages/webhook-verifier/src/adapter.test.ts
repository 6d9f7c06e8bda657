import { describe, expect, it, vi } from 'vitest'
import { createFetchHandler } from './fetch.ts'
import type { EventHandlers } from './handler.ts'
import { createHandler } from './index.ts'
import { createListener } from './node.ts'
import { body, now, otherSecret, secret, signedHeaders } from './test/signed-delivery.ts'

const hex = '0123456789abcdef'.repeat(4)

describe('the secret', () => {
  it.each([
    ['nothing', undefined, 'Is WEBHOOK_SECRET set?'],
    ['an empty text', '', 'Is WEBHOOK_SECRET set?'],
    ['no text', 42, 'not number'],
    ['an empty list', [], 'The list of secrets is empty.'],
    ['a newline at its end', `whsec_${hex}\n`, 'white space around it, often a newline'],
    ['quotation marks', `"whsec_${hex}"`, 'quotation marks around it'],
    ['an API key', `msk_${hex}`, 'This is an API key'],
    ['the masked preview', 'whsec_012345...', 'the masked beginning of a secret'],
    ['the secret of another service', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'of another service'],
    ['a part of the secret', `whsec_${hex.slice(0, 60)}`, 'there must be 64 hex characters, not 60'],
    ['something else', 'hunter2', 'msgctl webhook show --show-secret'],
    ['one bad secret among two', [secret, 'hunter2'], 'must be whsec_'],
  ])('is checked when an adapter is created: %s', (_what, given, words) => {
    const create = () => createListener({}, { secret: given as string })
    expect(create).toThrow(expect.objectContaining({ reason: 'malformed_secret' }))
    expect(create).toThrow(words)
    expect(create).not.toThrow('hunter2')
    expect(create).not.toThrow(hex.slice(0, 30))
    expect(() => createHandler({}, { secret: given as string })).toThrow(
      expect.objectContaining({ reason: 'malformed_secret' }),
    )
  })

  it('may come from a function, which is called with the first delivery', () => {
    const fetchSecret = vi.fn()
    createListener({}, { secret: fetchSecret })
    expect(fetchSecret).not.toHaveBeenCalled()
  })
})

describe('the options', () => {
  it.each([Number.POSITIVE_INFINITY, Number.NaN, 0, -1, 86_401, '300'])('refuse toleranceSeconds %s', (value) => {
    expect(() => createListener({}, { secret, toleranceSeconds: value as number })).toThrow('toleranceSeconds must be')
  })

  it('report a handler whose name is no event', () => {
    const lines: string[] = []
    const handlers = { 'message.lost': () => {}, 'message.read': () => {} } as unknown as EventHandlers
    createListener(handlers, { secret, log: (line) => lines.push(line) })
    expect(lines).toEqual([expect.stringContaining('there is no event message.lost in this version')])
  })
})

describe('the log of refusals', () => {
  async function post(options: object, sent: { body?: string; secret?: string } = {}) {
    const lines: string[] = []
    const handle = createFetchHandler({}, { secret, now, log: (line: string) => lines.push(line), ...options })
    const { body: text = body, ...signed } = sent
    for (let n = 0; n < 3; n += 1) {
      const headers = await signedHeaders(signed)
      const request = new Request('https://app.example/hooks', { method: 'POST', body: text, headers })
      await handle(request)
    }
    return lines
  }

  it('has one line for the first of each reason, with the remedy', async () => {
    const [line, ...others] = await post({}, { secret: otherSecret })
    expect(line).toBe(
      'webhook-verifier: refused a delivery with 401 no_matching_signature: No v1 matches this secret and raw body. ' +
        'Either the secret is another one (compare it with msgctl webhook show --show-secret; each endpoint ' +
        'has its own), ' +
        'or the body was changed on its way: by a body parser, or by a proxy that unpacks or reformats it. ' +
        '(Logged once.)',
    )
    expect(others).toEqual([])
  })

  it.each([
    [4_000_000, 't is 4000 s behind this clock. Check the clock of this machine'],
    [-4_000_000, 't is 4000 s ahead of this clock. Check the clock of this machine'],
  ])('says how old a signature is: a clock moved by %i ms', async (movedMs, words) => {
    const [line] = await post({ now: () => now() + movedMs })
    expect(line).toContain(words)
  })

  it('can be switched off, and is left to onError', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    await post({ log: false }, { secret: otherSecret })
    expect(await post({ onError: () => {} }, { secret: otherSecret })).toEqual([])
    expect(error).not.toHaveBeenCalled()
    await post({ log: undefined }, { secret: otherSecret })
    expect(error).toHaveBeenCalledOnce()
  })
})
