import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isOutdated } from '#numbers/connection/state-rules.ts'
import { sequenceOfResponse, toSessionState } from './state.ts'

const me = { id: '12025550199@c.us', pushName: 'Shop' }

describe('the state of a session', () => {
  it.each([
    ['STOPPED', [], 'STOPPED', 'stopped'],
    ['STARTING', [], 'STARTING', 'started'],
    ['STARTING', ['STOPPED'], 'STARTING', 'started'],
    ['STARTING', ['WORKING'], 'STARTING', 'connection_lost'],
    ['STARTING', ['STARTING', 'SCAN_QR_CODE'], 'STARTING', 'linked'],
    ['SCAN_QR_CODE', ['STARTING'], 'SCAN_QR_CODE', undefined],
    ['SCAN_QR_CODE', ['WORKING', 'FAILED', 'STARTING'], 'SCAN_QR_CODE', 'logged_out'],
    ['PASSKEY_REQUIRED', ['SCAN_QR_CODE'], 'SCAN_QR_CODE', 'passkey_required'],
    ['PASSKEY_CONFIRMATION_REQUIRED', ['PASSKEY_REQUIRED'], 'SCAN_QR_CODE', 'passkey_required'],
    ['WORKING', ['STARTING'], 'WORKING', undefined],
    ['FAILED', ['SCAN_QR_CODE'], 'FAILED', 'qr_expired'],
    ['FAILED', ['PASSKEY_REQUIRED'], 'FAILED', 'qr_expired'],
    ['FAILED', ['WORKING'], 'FAILED', 'logged_out'],
    ['FAILED', [], 'FAILED', 'unknown'],
    ['A_STATUS_OF_TOMORROW', [], 'STARTING', undefined],
  ] as const)('%s after %j is %s, %s', (status, before, becomes, reason) => {
    const state = toSessionState({ status, me, before }, 7)
    expect(state).toMatchObject({ status: becomes, sequence: 7 })
    expect(state.reason).toBe(reason)
    expect(state.me).toEqual(
      becomes === 'SCAN_QR_CODE' ? null : { id: '12025550199@c.us', digits: '12025550199', pushName: 'Shop' },
    )
  })

  it('says what a person must do about a passkey', () => {
    const challenge = { publicKey: { challenge: 'Y2hhbGxlbmdl' } }
    const required = toSessionState({ status: 'PASSKEY_REQUIRED', me: null, before: [], passkey: challenge }, 1)
    expect(required.link).toEqual({ step: 'passkey', challenge })
    const code = { code: 'QZ4X-81TB' }
    const confirm = toSessionState({ status: 'PASSKEY_CONFIRMATION_REQUIRED', me: null, before: [], passkey: code }, 2)
    expect(confirm.link).toEqual({ step: 'confirm', code: 'QZ4X-81TB' })
  })

  it('has no account for a name that is none', () => {
    expect(toSessionState({ status: 'WORKING', me: { id: 'me@lid' }, before: [] }, 1).me).toBeNull()
  })
})

describe('the order of states', () => {
  const at = Date.parse('2026-11-22T10:00:00Z')
  const header = (ms: number) => new Date(ms - (ms % 1000)).toUTCString()

  it('takes a response for older than a webhook of the same second, and for newer than one before the call', () => {
    const read = sequenceOfResponse({ date: header(at + 700), tookMs: 20 })
    expect(read).toBe(at - 20)
    expect(read).toBeLessThan(at + 200)
    expect(read).toBeGreaterThan(at - 21)
    expect(sequenceOfResponse({ date: null, tookMs: 20 })).toBe(0)
    expect(sequenceOfResponse({ date: 'some day', tookMs: 20 })).toBe(0)
  })

  it('takes a state for older than a webhook that was sent before the host responded', () => {
    // The host reads the state at 100 ms before the second, sends a webhook, and responds at 10 ms after the second.
    const webhook = at - 50
    expect(sequenceOfResponse({ date: header(at + 10), tookMs: 120 })).toBeLessThan(webhook)
  })

  it('ends 10,000 shuffled reports in the newest state, whatever is delayed, doubled or polled', () => {
    const statuses = ['STARTING', 'WORKING', 'SCAN_QR_CODE', 'FAILED', 'STOPPED']
    const reports = fc.array(
      fc.record({
        status: fc.constantFrom(...statuses),
        gapMs: fc.integer({ min: 1, max: 5000 }),
        copies: fc.constantFrom(1, 1, 2),
      }),
      { minLength: 100, maxLength: 200 },
    )
    let checked = 0
    fc.assert(
      fc.property(reports, fc.infiniteStream(fc.nat()), (history, random) => {
        let ms = at
        const sent = history.flatMap(({ status, gapMs, copies }) => {
          ms += gapMs
          return Array.from({ length: copies }, () => ({ status, sequence: ms }))
        })
        // A poll a second and a half after the last webhook reads the newest state from the response.
        const newest = sent.at(-1)?.status ?? ''
        sent.push({ status: newest, sequence: sequenceOfResponse({ date: header(ms + 1500), tookMs: 400 }) })
        const shuffled = sent
          .map((report) => ({ report, key: random.next().value as number }))
          .sort((a, b) => a.key - b.key)
        let known = { reportSequence: 0, status: '' }
        for (const { report } of shuffled) {
          if (!isOutdated(known, report, 'event')) known = { reportSequence: report.sequence, status: report.status }
        }
        checked += sent.length
        expect(known.status).toBe(newest)
      }),
      { numRuns: 150 },
    )
    expect(checked).toBeGreaterThan(10_000)
  })
})
