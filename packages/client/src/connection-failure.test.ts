import { describe, expect, it } from 'vitest'
import { describeFailure, wasNeverSent } from './connection-failure.ts'
import { closedPort, hang, reset, serve } from './test/scripted-server.ts'

/** Returns the error of the global fetch. */
async function rejection(url: string): Promise<unknown> {
  return fetch(url).then(
    () => expect.fail('It was answered.'),
    (error: unknown) => error,
  )
}

function failed(code: string, more: Record<string, unknown> = {}): TypeError {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(`no luck ${code}`), { code, ...more }) })
}

describe('wasNeverSent', () => {
  it('recognizes a refused connection of the real fetch', async () => {
    expect(wasNeverSent(await rejection(`http://127.0.0.1:${await closedPort()}/`))).toBe(true)
  })

  it('recognizes a failed TLS handshake of the real fetch', async () => {
    const { baseUrl } = await serve(hang)
    expect(wasNeverSent(await rejection(baseUrl.replace('http:', 'https:')))).toBe(true)
  })

  it('recognizes a port that the real fetch never connects to', async () => {
    expect(wasNeverSent(await rejection('http://127.0.0.1:9/'))).toBe(true)
  })

  it('treats a reset of the real fetch as a request that may have been sent', async () => {
    const { baseUrl } = await serve(reset)
    expect(wasNeverSent(await rejection(baseUrl))).toBe(false)
  })

  it.each([
    ['ECONNREFUSED', {}, true],
    ['ENOTFOUND', {}, true],
    ['EAI_AGAIN', {}, true],
    ['EHOSTUNREACH', {}, true],
    ['EHOSTUNREACH', { syscall: 'connect' }, true],
    ['EHOSTUNREACH', { syscall: 'read' }, false],
    ['ENETDOWN', { syscall: 'write' }, false],
    ['EADDRNOTAVAIL', { syscall: 'bind' }, true],
    ['UND_ERR_CONNECT_TIMEOUT', {}, true],
    ['ETIMEDOUT', { syscall: 'connect' }, true],
    ['ETIMEDOUT', { syscall: 'read' }, false],
    ['ETIMEDOUT', { errors: [{ syscall: 'connect' }, { code: 'ENETUNREACH' }] }, true],
    ['ETIMEDOUT', { errors: [{ syscall: 'connect' }, { syscall: 'read' }] }, false],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', {}, true],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', {}, true],
    ['CERT_HAS_EXPIRED', {}, true],
    ['ERR_TLS_CERT_ALTNAME_INVALID', {}, true],
    ['ECONNRESET', {}, false],
    ['EPIPE', {}, false],
    ['UND_ERR_SOCKET', {}, false],
    ['UND_ERR_HEADERS_TIMEOUT', {}, false],
  ])('for the code %s with %j is %s', (code, more, expected) => {
    expect(wasNeverSent(failed(code, more))).toBe(expected)
    expect(wasNeverSent(Object.assign(new Error('bare'), { code, ...more }))).toBe(expected)
  })

  it('recognizes a connection that closed during the handshake with only ECONNRESET', () => {
    const message = 'Client network socket disconnected before secure TLS connection was established'
    expect(wasNeverSent(Object.assign(new Error(message), { code: 'ECONNRESET' }))).toBe(true)
  })

  it.each([[new TypeError('Failed to fetch')], [new TypeError('Load failed')], ['text'], [undefined], [null]])(
    'assumes nothing about what another runtime rejects with: %s',
    (error) => expect(wasNeverSent(error)).toBe(false),
  )
})

describe('describeFailure', () => {
  it('shows the innermost cause with its code', () => {
    expect(describeFailure(failed('EPIPE'))).toEqual({ code: 'EPIPE', text: 'no luck EPIPE' })
    expect(describeFailure(Object.assign(new Error('cut'), { code: 'ECONNRESET' })).text).toBe('ECONNRESET: cut')
    expect(describeFailure('gone')).toEqual({ code: undefined, text: 'gone' })
  })

  it('handles errors that cause each other', () => {
    const first = new Error('first')
    first.cause = new Error('second', { cause: first })
    expect(describeFailure(first).text).toBe('first')
  })
})
