import { describe, expect, it } from 'vitest'
import type { Closing } from '../engine.ts'
import { closingOf } from './closing.ts'

const nowMs = Date.UTC(2026, 10, 1)
/** An error of the library: of its socket with the cause, of the network with what it said. */
const errorOf = (statusCode: number, data: unknown) =>
  Object.assign(new Error('ended'), { output: { statusCode }, data })

const none: Closing = {
  code: null,
  cause: null,
  expiresAt: null,
  location: null,
  obstacle: null,
  isPasskeyDemanded: false,
}

describe('the end of a connection', () => {
  it.each([401, 402, 403, 405, 407, 502])('by a proxy that responds with %i is none by the network', (status) => {
    const closing = closingOf(errorOf(status, new Error(`Unexpected server response: ${status}`)), nowMs)
    expect(closing).toEqual({ ...none, obstacle: String(status) })
  })

  it.each([
    ['ECONNREFUSED', Object.assign(new Error('connect ECONNREFUSED 10.0.0.5:1080'), { code: 'ECONNREFUSED' })],
    ['Error', new Error('Opening handshake has timed out')],
  ])('on the way is named by %s alone, without an address', (obstacle, cause) => {
    expect(closingOf(errorOf(408, cause), nowMs)).toEqual({ ...none, obstacle })
  })

  it('by the network has its code and its location', () => {
    const ended = { ...none, code: 401, location: 'rva' }
    expect(closingOf(errorOf(401, { reason: '401', location: 'rva' }), nowMs)).toEqual(ended)
    const stanza = { tag: 'stream:error', attrs: { code: '401', location: 'rva' } }
    expect(closingOf(errorOf(401, stanza), nowMs)).toEqual(ended)
    expect(closingOf(undefined, nowMs)).toEqual(none)
  })

  it.each([
    ['a duration', '3600', new Date(nowMs + 3_600_000)],
    ['a date', '1793577600', new Date(1_793_577_600_000)],
    ['nothing', undefined, null],
    ['no number', 'soon', null],
  ])('by a restriction gives %s', (_what, expire, expiresAt) => {
    expect(closingOf(errorOf(402, { code: '101', expire }), nowMs)).toMatchObject({ code: 402, cause: 101, expiresAt })
  })
})
