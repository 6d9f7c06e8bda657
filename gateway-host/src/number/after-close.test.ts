import { describe, expect, it } from 'vitest'
import type { Closing } from '../engine/engine.ts'
import { type AfterClose, afterClose, type BeforeClose } from './after-close.ts'

const nowMs = Date.UTC(2026, 10, 1)
const linked: BeforeClose = { isLinked: true, failures: 0, replacedAtMs: [], nowMs }
const closing: Closing = {
  code: null,
  cause: null,
  expiresAt: null,
  location: null,
  obstacle: null,
  isPasskeyDemanded: false,
}
const fail = (reason: string, retry: unknown): unknown => ({ is: 'fail', reason, retry })
const again = (afterMs: number, reason = 'connection_lost'): unknown => ({ is: 'connect', afterMs, reason })

describe('the end of a connection', () => {
  it.each<[code: number | null, before: Partial<BeforeClose>, after: unknown]>([
    [401, {}, { is: 'forget' }],
    [402, {}, { is: 'fail', reason: 'restricted', retry: new Date(nowMs + 86_400_000), code: null }],
    [403, {}, { is: 'fail', reason: 'link_refused', retry: 'never', endsLink: true }],
    [405, {}, { is: 'renew', reason: 'client_outdated' }],
    [406, {}, fail('banned', 'never')],
    [408, { isLinked: false }, fail('qr_expired', null)],
    [408, {}, again(500)],
    [409, {}, again(500)],
    [418, { failures: 2 }, again(2000)],
    ...[400, 409, 413, 414, 415, 418, 499].map((code): [number, Partial<BeforeClose>, unknown] => [
      code,
      { failures: 3 },
      { is: 'fail', reason: 'unknown', retry: 'never', code },
    ]),
    [411, { failures: 3 }, again(5000)],
    [411, {}, again(500)],
    [428, { failures: 3 }, again(5000)],
    [500, { failures: 5 }, again(30_000)],
    [503, { failures: 6 }, fail('connection_lost', null)],
    [null, {}, again(500)],
    [440, { replacedAtMs: [nowMs - 1000, nowMs] }, again(500)],
    [440, { replacedAtMs: [nowMs - 2000, nowMs - 1000, nowMs] }, fail('replaced', 'never')],
    [440, { replacedAtMs: [nowMs - 61_000, nowMs - 1000, nowMs] }, again(500)],
    [515, { isLinked: false }, again(0, 'linked')],
    [516, {}, { is: 'forget' }],
  ])('with %s after %o leads to %o', (code, before, after) => {
    expect(afterClose({ ...linked, ...before }, { ...closing, code })).toEqual(after as AfterClose)
  })

  it.each([true, false])('on the way to the network ends no link and no QR (linked: %s)', (isLinked) => {
    const before = { ...linked, isLinked }
    expect(afterClose(before, { ...closing, obstacle: '401' })).toEqual(again(500, 'unreachable'))
    expect(afterClose({ ...before, failures: 6 }, { ...closing, obstacle: '401' })).toEqual(fail('unreachable', null))
  })

  it('by a restriction lasts as long as the network says', () => {
    const expiresAt = new Date(nowMs + 5000)
    const after = { is: 'fail', reason: 'restricted', retry: expiresAt, code: 101 }
    expect(afterClose(linked, { ...closing, code: 402, cause: 101, expiresAt })).toEqual(after)
  })
})
