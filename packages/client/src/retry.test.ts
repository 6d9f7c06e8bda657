import { type ErrorCode, errorTable } from '@msgctl/contract/error-table'
import { describe, expect, it } from 'vitest'
import { backoffMs, type CallKind, classifyFailure, type FailureClass, mayRetry, toOutcome, waitMs } from './retry.ts'

const limits = { maxRetries: 2, maxRetryAfterMs: 30_000 }

describe('mayRetry', () => {
  const again = true
  const thrown = false
  // One row for each failure class; Retry-After absent, within the maximum, and above it.
  const rows: [FailureClass, CallKind, absent: boolean, within: boolean, above: boolean][] = [
    ['never_sent', 'read', again, again, thrown],
    ['never_sent', 'write', again, again, thrown],
    ['never_sent', 'keyed', again, again, thrown],
    ['unknown', 'read', again, again, thrown],
    ['unknown', 'write', thrown, thrown, thrown],
    ['unknown', 'keyed', again, again, thrown],
    ['refused', 'read', again, again, thrown],
    ['refused', 'write', thrown, again, thrown],
    ['refused', 'keyed', again, again, thrown],
    ['quota', 'read', thrown, thrown, thrown],
    ['quota', 'write', thrown, thrown, thrown],
    ['quota', 'keyed', thrown, thrown, thrown],
    ['final', 'read', thrown, thrown, thrown],
    ['final', 'write', thrown, thrown, thrown],
    ['final', 'keyed', thrown, thrown, thrown],
  ]

  it.each(rows)(
    '%s, %s: without Retry-After %s, with 30 s %s, with more %s',
    (failureClass, kind, absent, within, above) => {
      const decide = (retryAfterMs: number | undefined) =>
        mayRetry({ failureClass, kind, retries: 0, retryAfterMs }, limits)
      expect([decide(undefined), decide(30_000), decide(30_001)]).toEqual([absent, within, above])
    },
  )

  it('stops after the allowed number of retries', () => {
    const failed = { failureClass: 'never_sent', kind: 'read', retryAfterMs: undefined } as const
    expect(mayRetry({ ...failed, retries: 1 }, limits)).toBe(true)
    expect(mayRetry({ ...failed, retries: 2 }, limits)).toBe(false)
    expect(mayRetry({ ...failed, retries: 0 }, { ...limits, maxRetries: 0 })).toBe(false)
  })
})

describe('classifyFailure', () => {
  const named: Record<Exclude<FailureClass, 'never_sent' | 'final'>, ErrorCode[]> = {
    unknown: ['INTERNAL_ERROR', 'GATEWAY_ERROR', 'UPSTREAM_TIMEOUT'],
    refused: [
      'RATE_LIMITED',
      'RATE_LIMIT',
      'SERVICE_BUSY',
      'NUMBER_VALIDATION_UNAVAILABLE',
      'GATEWAY_SESSION_ERROR',
      'GATEWAY_UNREACHABLE',
    ],
    quota: ['TRIAL_LIMIT_REACHED', 'OTP_RATE_LIMITED', 'TOO_MANY_LOGIN_ATTEMPTS', 'AI_QUOTA_EXCEEDED'],
  }

  it.each(Object.entries(named).flatMap(([failureClass, codes]) => codes.map((code) => [code, failureClass] as const)))(
    'calls %s %s',
    (code, failureClass) => expect(classifyFailure(code, errorTable[code].status, undefined)).toBe(failureClass),
  )

  it('calls every code of the catalogue below 500 that is not named final, OTP_MAX_ATTEMPTS among them', () => {
    const special = new Set<string>(Object.values(named).flat())
    const rest = Object.entries(errorTable).filter(([code, { status }]) => status < 500 && !special.has(code))
    expect(rest.map(([code]) => code)).toContain('OTP_MAX_ATTEMPTS')
    expect(rest.filter(([code, { status }]) => classifyFailure(code, status, undefined) !== 'final')).toEqual([])
  })

  it('classifies an unknown code by the status alone', () => {
    expect(classifyFailure('UNKNOWN', 502, undefined)).toBe('unknown')
    expect(classifyFailure('BRAND_NEW', 503, undefined)).toBe('unknown')
    expect(classifyFailure('BRAND_NEW', 429, undefined)).toBe('final')
    expect(classifyFailure('toString', 400, undefined)).toBe('final')
  })

  it('uses the outcome of the service when it reports that a rejected send may have gone out', () => {
    expect(classifyFailure('GATEWAY_SESSION_ERROR', 503, { outcome: 'unknown' })).toBe('unknown')
    expect(classifyFailure('GATEWAY_SESSION_ERROR', 503, { outcome: 'not_sent' })).toBe('refused')
  })

  it('classifies a running request with the same key as unknown, and any other conflict as final', () => {
    expect(classifyFailure('CONFLICT', 409, { reason: 'idempotency_in_progress' })).toBe('unknown')
    expect(classifyFailure('CONFLICT', 409, { reason: 'idempotency_mismatch' })).toBe('final')
  })
})

describe('backoffMs', () => {
  it.each([
    [0, 500],
    [1, 1_000],
    [2, 2_000],
    [3, 4_000],
    [4, 8_000],
    [5, 8_000],
    [2_000, 8_000],
  ])('after %i retries lies anywhere from 0 to %i ms', (retries, ceiling) => {
    expect(backoffMs(retries, 0)).toBe(0)
    expect(backoffMs(retries, 0.5)).toBe(ceiling / 2)
    expect(backoffMs(retries, 1)).toBe(ceiling)
  })

  it('never waits shorter than Retry-After', () => {
    expect(waitMs(0, 0, 2_000)).toBe(2_000)
    expect(waitMs(0, 1, 2_000)).toBe(2_500)
    expect(waitMs(1, 0.5, undefined)).toBe(500)
  })
})

describe('toOutcome', () => {
  it.each([
    ['never_sent', undefined, false, 'not_sent'],
    ['refused', undefined, false, 'not_sent'],
    ['quota', undefined, false, 'not_sent'],
    ['final', undefined, false, 'not_sent'],
    ['unknown', undefined, false, 'unknown'],
    ['unknown', 'not_sent', false, 'not_sent'],
    ['final', 'unknown', false, 'unknown'],
    ['never_sent', undefined, true, 'unknown'],
    ['final', undefined, true, 'unknown'],
    ['refused', 'not_sent', true, 'unknown'],
    ['unknown', 'not_sent', true, 'not_sent'],
  ] as const)(
    'of %s, when the service says %s and an earlier attempt was in doubt (%s), is %s',
    (failureClass, said, doubt, outcome) => {
      expect(toOutcome(failureClass, said, doubt)).toBe(outcome)
    },
  )
})
