import { afterEach, describe, expect, it, vi } from 'vitest'
import { createFetchHandler, verifyRequest } from './fetch.ts'
import { body, deliveryId, now, otherSecret, reasonOf, secret, signedHeaders } from './test/signed-delivery.ts'

type Signing = Parameters<typeof signedHeaders>[0]

async function requestWith(content: string | ReadableStream<Uint8Array> | null = body, signing: Signing = {}) {
  const init = { method: 'POST', body: content, headers: await signedHeaders(signing), duplex: 'half' as const }
  return new Request('http://127.0.0.1/webhook', init)
}

/** A stream that gives pieces as long as it is read, and remembers whether it was cancelled. */
function endless() {
  const state = { pulled: 0, cancelled: false }
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      state.pulled++
      controller.enqueue(new Uint8Array(64))
    },
    cancel() {
      state.cancelled = true
    },
  })
  return { state, stream }
}

describe('verifyRequest', () => {
  it('returns the event of a request', async () => {
    expect(await verifyRequest(await requestWith(), secret, { now })).toMatchObject({
      event: 'message.failed',
      deliveryId,
    })
  })

  it('refuses a request whose body was read before', async () => {
    const request = await requestWith()
    await request.json()
    expect(await reasonOf(verifyRequest(request, secret, { now }))).toBe('raw_body_required')
  })

  it('stops reading at the bound and cancels the rest', async () => {
    const { state, stream } = endless()
    const outcome = verifyRequest(await requestWith(stream), secret, { now, maxBodyBytes: 1_000 })
    expect(await reasonOf(outcome)).toBe('body_too_large')
    expect(state.cancelled).toBe(true)
    expect(state.pulled).toBeLessThan(20)
  })

  it('refuses a body that is announced as too large without reading it', async () => {
    const { state, stream } = endless()
    const request = await requestWith(stream, { extra: { 'content-length': '1048577' } })
    expect(await reasonOf(verifyRequest(request, secret, { now }))).toBe('body_too_large')
    expect(state.pulled).toBeLessThan(2)
  })

  it('refuses a body that ends early', async () => {
    const stream = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error('reset')) })
    expect(await reasonOf(verifyRequest(await requestWith(stream), secret, { now }))).toBe('body_incomplete')
  })

  it('treats a missing body as an empty one', async () => {
    const request = await requestWith(null, { body: '' })
    expect(await reasonOf(verifyRequest(request, secret, { now }))).toBe('invalid_json')
  })
})

describe('createFetchHandler', () => {
  it('responds to anything but a POST with 405', async () => {
    const handle = createFetchHandler({}, { secret: `whsec_${'a'.repeat(64)}` })
    const response = await handle(new Request('https://example.com/hooks'))
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
    expect(await response.json()).toEqual({ reason: 'method_not_allowed' })
  })

  afterEach(() => vi.restoreAllMocks())

  async function answer(request: Request, handle: (error: string) => unknown = () => {}, options = {}) {
    const respond = createFetchHandler(
      { 'message.failed': (event) => handle(event.data.error) },
      { secret, now, ...options },
    )
    const response = await respond(request)
    return [response.status, await response.text()]
  }

  it('runs the handler and responds with 204', async () => {
    const seen: string[] = []
    expect(await answer(await requestWith(), (error) => seen.push(error))).toEqual([204, ''])
    expect(seen).toEqual(['not on the network'])
  })

  it.each<[string, string, Signing, number, string]>([
    ['a changed body', `${body} `, {}, 401, 'no_matching_signature'],
    ['another secret', body, { secret: otherSecret }, 401, 'no_matching_signature'],
    ['a broken header', body, { extra: { 'x-service-signature': 't=1' } }, 400, 'malformed_header'],
    ['no event in a signed body', '{}', { body: '{}' }, 400, 'invalid_event'],
  ])('refuses %s and says why', async (_case, content, signing, status, reason) => {
    const failing = () => expect.fail()
    expect(await answer(await requestWith(content, signing), failing)).toEqual([status, JSON.stringify({ reason })])
  })

  it.each([
    ['old', 301, 'timestamp_too_old'],
    ['new', -301, 'timestamp_too_new'],
  ])('refuses a signature that is too %s', async (_side, seconds, reason) => {
    const clock = { now: () => now() + seconds * 1000 }
    expect(await answer(await requestWith(), () => expect.fail(), clock)).toEqual([401, JSON.stringify({ reason })])
  })

  it('accepts the second of two secrets, and drops what was handled', async () => {
    const store = new Set<string>()
    let runs = 0
    const options = { secret: [otherSecret, secret], store }
    for (let round = 0; round < 2; round++)
      expect(await answer(await requestWith(), () => ++runs, options)).toEqual([204, ''])
    expect(runs).toBe(1)
  })

  it('writes the failures of the receiver to the console', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    const failure = new Error('the database is away')
    const failed = await answer(await requestWith(), () => Promise.reject(failure))
    expect(failed).toEqual([500, JSON.stringify({ reason: 'handler_failed' })])
    expect(logged.mock.calls).toEqual([[failure]])
  })
  it('responds even when onError fails', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    const options = {
      onError: () => {
        throw new Error('the reporter is away')
      },
    }
    const refused = await answer(await requestWith(`${body} `), () => expect.fail(), options)
    expect(refused).toEqual([401, JSON.stringify({ reason: 'no_matching_signature' })])
    expect(logged).toHaveBeenCalledOnce()
  })
})
