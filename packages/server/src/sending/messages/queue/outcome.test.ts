import { GatewayError, type GatewayErrorKind } from '@msgctl/network/errors'
import { describe, expect, it } from 'vitest'
import { afterFailure, backoffMs, maxAttempts, maxLostClaims, maxRefusals, unknownForMs } from './outcome.ts'

const now = new Date('2026-03-01T12:00:00.000Z')
const fresh = { attempts: 1, lostClaims: 0, outcomeUnknownSince: null }
const chosen = { now, random: 0.5 }

describe('backoffMs', () => {
  it.each([
    { attempts: 1, random: 0.5, ms: 10_000 },
    { attempts: 2, random: 0.5, ms: 20_000 },
    { attempts: 5, random: 0.5, ms: 160_000 },
    { attempts: 1, random: 0, ms: 8000 },
    { attempts: 1, random: 1, ms: 12_000 },
  ])('waits $ms ms after try $attempts', ({ attempts, random, ms }) => {
    expect(backoffMs(attempts, random)).toBeCloseTo(ms)
  })
})

describe('afterFailure', () => {
  it.each<{ kind: GatewayErrorKind; attempts: number; is: string; code?: string }>([
    { kind: 'rejected', attempts: 1, is: 'retry' },
    { kind: 'rejected', attempts: maxRefusals, is: 'failed', code: 'GATEWAY_ERROR' },
    { kind: 'recipient', attempts: 1, is: 'failed', code: 'NUMBER_NOT_ON_NETWORK' },
    { kind: 'unsupported', attempts: 1, is: 'failed', code: 'GATEWAY_ERROR' },
    { kind: 'new_chat_refused', attempts: 1, is: 'failed', code: 'GATEWAY_ERROR' },
    { kind: 'contact_refused', attempts: 1, is: 'failed', code: 'GATEWAY_ERROR' },
    { kind: 'restricted', attempts: maxAttempts, is: 'failed', code: 'GATEWAY_ERROR' },
  ])('returns $is for $kind at attempt $attempts', ({ kind, attempts, is, code }) => {
    const outcome = afterFailure(new GatewayError(kind, 'why'), { ...fresh, attempts }, chosen)
    expect(outcome.is).toBe(is)
    if (code) expect(outcome).toMatchObject({ code, error: 'why', at: now })
  })

  it.each([
    { kind: 'session', outcome: 'not_sent', code: 'GATEWAY_SESSION_ERROR' },
    { kind: 'unreachable', outcome: 'not_sent', code: 'GATEWAY_UNREACHABLE' },
    { kind: 'session', outcome: 'unknown', code: null },
    { kind: 'unreachable', outcome: 'unknown', code: null },
  ] as const)('repeats a message whose number or host fails ($kind, $outcome), up to many losses', (fault) => {
    const { kind, outcome, code } = fault
    const error = new GatewayError(kind, 'why', { outcome })
    const after = (lostClaims: number) => afterFailure(error, { ...fresh, attempts: maxAttempts, lostClaims }, chosen)
    expect(after(0)).toMatchObject({ is: 'retry', keepsPlace: true })
    expect(after(maxLostClaims - 2)).toMatchObject({ is: 'retry', dueAt: new Date(now.getTime() + 40_000) })
    expect(after(maxLostClaims - 1)).toMatchObject(code === null ? { is: 'unknown' } : { is: 'failed', code })
  })

  it('pauses the whole lane of a restricted account for as long as the network says', () => {
    const restricted = new GatewayError('restricted', 'limited', { retryAfterMs: 900_000 })
    expect(afterFailure(restricted, fresh, chosen)).toEqual({
      is: 'retry',
      attempt: { at: now, error: 'limited' },
      dueAt: new Date(now.getTime() + 900_000),
      unknownSince: null,
      pauseLane: true,
      keepsPlace: false,
    })
  })

  it.each<{ kind: GatewayErrorKind; keepsPlace: boolean }>([
    { kind: 'session', keepsPlace: true },
    { kind: 'unreachable', keepsPlace: true },
    { kind: 'rejected', keepsPlace: false },
    { kind: 'timeout', keepsPlace: false },
  ])('lets the message keep its place after $kind: $keepsPlace', ({ kind, keepsPlace }) => {
    expect(afterFailure(new GatewayError(kind, 'why'), fresh, chosen)).toMatchObject({ is: 'retry', keepsPlace })
  })

  it('sends the same id again after a timeout, and keeps since when the outcome is unknown', () => {
    expect(afterFailure(new GatewayError('timeout', 'no answer'), fresh, chosen)).toMatchObject({
      is: 'retry',
      unknownSince: now,
      pauseLane: false,
    })
  })

  it('waits for a receipt when the last attempt timed out', () => {
    const last = { ...fresh, attempts: maxAttempts }
    const outcome = afterFailure(new GatewayError('timeout', 'no answer'), last, chosen)
    expect(outcome).toEqual({
      is: 'unknown',
      attempt: { at: now, error: 'no answer' },
      since: now,
      until: new Date(now.getTime() + unknownForMs),
    })
  })

  it('never fails a message whose outcome was unknown before, and counts its time from the first time-out', () => {
    const since = new Date(now.getTime() - 60_000)
    const message = { attempts: 1, lostClaims: maxLostClaims, outcomeUnknownSince: since }
    expect(afterFailure(new GatewayError('session', 'down'), message, chosen)).toEqual({
      is: 'unknown',
      attempt: { at: now, error: 'down' },
      since,
      until: new Date(since.getTime() + unknownForMs),
    })
  })

  it('treats an error that is not the gateway’s as an unknown outcome', () => {
    expect(afterFailure(new TypeError('bug'), { ...fresh, attempts: maxAttempts }, chosen).is).toBe('unknown')
  })
})
