import { readFileSync } from 'node:fs'
import { describe, expect, expectTypeOf, it } from 'vitest'
import * as z from 'zod'
import { readFixture, tableRows } from '../fixtures/tables.ts'
import { type Details, type ErrorCode, errors, errorTable, exitCodes, findErrorFacts } from './errors.ts'

const codes = Object.keys(errors) as ErrorCode[]
const codesOf = (choose: (code: ErrorCode) => boolean) => codes.filter(choose).sort()

describe('the error catalogue', () => {
  it("is the specification's table: the same codes, statuses and meanings, in the same order", () => {
    const ours = codes.map((code) => [code, String(errors[code].status), errors[code].meaning])
    const theirs = tableRows(readFixture('errors.txt'))
    expect(theirs).toHaveLength(102)
    expect(ours.slice(0, 102)).toEqual(theirs)
    expect(codes.slice(102)).toEqual(['ORIGIN_REFUSED', 'ORGANIZATION_MOVED', 'KEY_SCOPE'])
  })

  it('retries only what was refused before any effect', () => {
    expect(codesOf((code) => errors[code].retry === 'safe')).toEqual([
      'GATEWAY_SESSION_ERROR',
      'GATEWAY_UNREACHABLE',
      'NUMBER_VALIDATION_UNAVAILABLE',
      'RATE_LIMIT',
      'RATE_LIMITED',
      'SERVICE_BUSY',
    ])
    expect(codesOf((code) => errors[code].retry === 'quota')).toEqual([
      'AI_QUOTA_EXCEEDED',
      'OTP_RATE_LIMITED',
      'TOO_MANY_LOGIN_ATTEMPTS',
      'TRIAL_LIMIT_REACHED',
    ])
    expect(codesOf((code) => errors[code].retry === 'unknown' && !/^(AI|PAYMENT)_/.test(code))).toEqual([
      'GATEWAY_ERROR',
      'INTERNAL_ERROR',
      'UPSTREAM_TIMEOUT',
    ])
  })

  it('never calls a refusal of the request itself worth another try', () => {
    const refusals = codesOf((code) => errors[code].status < 500 && ![402, 429].includes(errors[code].status))
    expect(refusals.filter((code) => errors[code].retry !== 'never')).toEqual([])
  })

  /** Codes whose status alone does not determine how a command ends: the request was right, the state was not. */
  const stateConflicts = new Set<ErrorCode>([
    'FORBIDDEN_ACTION',
    'NO_SESSION_CONFIGURED',
    'OTP_ALREADY_VERIFIED',
    'CAMPAIGN_INVALID_STATE',
  ])
  const exitByStatus: Record<number, keyof typeof exitCodes> = {
    400: 'usage',
    401: 'auth',
    402: 'quota',
    403: 'forbidden',
    404: 'notFound',
    409: 'conflict',
    410: 'conflict',
    413: 'usage',
    415: 'usage',
    421: 'forbidden',
    422: 'usage',
    429: 'quota',
    500: 'unexpected',
    502: 'down',
    503: 'down',
    504: 'down',
  }

  it.each(codes)('ends msgctl in the class of its status, or as a conflict of state: %s', (code) => {
    const expected = stateConflicts.has(code) ? 'conflict' : exitByStatus[errors[code].status]
    expect(errors[code].exit).toBe(expected)
  })

  it('gives every exit class its own exit code', () => {
    expect(exitCodes).toEqual({
      unexpected: 1,
      usage: 2,
      notFound: 3,
      auth: 4,
      forbidden: 5,
      quota: 6,
      conflict: 7,
      down: 8,
    })
  })
})

describe('details', () => {
  const fieldsOf = (code: ErrorCode) => {
    const { details } = errors[code]
    return details instanceof z.ZodObject ? Object.keys(details.shape) : []
  }

  it.each<[ErrorCode, string[]]>([
    ['RATE_LIMITED', ['scope', 'retryAfterSeconds', 'limitPerMinute']],
    ['TRIAL_LIMIT_REACHED', ['limit', 'used', 'requested', 'retryAfterSeconds', 'resetsAt']],
    ['NUMBER_LIMIT_REACHED', ['max', 'used', 'included', 'extra', 'capped']],
    ['PRODUCT_REQUIRED', ['products']],
    ['OTP_INVALID_CODE', ['attemptsRemaining']],
    ['NO_VALID_NUMBERS', ['invalidNumbers']],
  ])('of %s hold what the specification names', (code, fields) => {
    expect(fieldsOf(code)).toEqual(fields)
    expect(errors[code].details?.safeParse({}).success).toBe(false)
  })

  it.each<[ErrorCode, Record<string, unknown>]>([
    ['AUTH_ERROR', { reason: 'missing_credentials' }],
    ['AUTH_ERROR', { reason: 'invalid_api_key' }],
    ['AUTH_ERROR', { reason: 'invalid_session' }],
    ['CONFLICT', { reason: 'idempotency_mismatch' }],
    ['CONFLICT', { reason: 'idempotency_in_progress', retryAfterSeconds: 1 }],
    ['FORBIDDEN_ACTION', { reason: 'window_passed', windowSeconds: 900, ageSeconds: 1000 }],
    ['NUMBER_NOT_ON_NETWORK', { invalidNumbers: ['12025550101'] }],
    ['GATEWAY_ERROR', { outcome: 'unknown', messageId: '3f0c8f6e-6b0a-4a53-9d0e-0a4f6f1f5a11' }],
    ['VALIDATION_ERROR', { 'recipients.3.phone': ['must be an international number like +12025550100'] }],
  ])('of %s take %j', (code, details) => {
    expect(errors[code].details?.parse(details)).toEqual(details)
  })

  it.each<[ErrorCode, Record<string, unknown>]>([
    ['AUTH_ERROR', { reason: 'wrong' }],
    ['CONFLICT', {}],
    ['FORBIDDEN_ACTION', { reason: 'because' }],
    ['UPSTREAM_TIMEOUT', { outcome: 'maybe' }],
    ['RATE_LIMIT', { retryAfterSeconds: 1.5 }],
    ['VALIDATION_ERROR', { phone: 'not a list' }],
  ])('of %s refuse %j', (code, details) => {
    expect(errors[code].details?.safeParse(details).success).toBe(false)
  })

  it('carry retryAfterSeconds wherever the wait can be known', () => {
    const waiting = codesOf((code) => ['safe', 'quota'].includes(errors[code].retry) && code !== 'AI_QUOTA_EXCEEDED')
    expect(waiting.filter((code) => !fieldsOf(code).includes('retryAfterSeconds'))).toEqual([])
  })

  it('are typed by their code', () => {
    expectTypeOf<Details<'OTP_INVALID_CODE'>>().toEqualTypeOf<{ attemptsRemaining: number }>()
    expectTypeOf<Details<'NOT_FOUND'>>().toEqualTypeOf<undefined>()
    expectTypeOf<Details<'AUTH_ERROR'>['reason']>().toEqualTypeOf<
      'missing_credentials' | 'invalid_api_key' | 'invalid_session' | 'invalid_token' | 'invalid_credentials'
    >()
    expectTypeOf(errors.NOT_FOUND.details).toEqualTypeOf<undefined>()
    expectTypeOf(errors.NOT_FOUND.status).toEqualTypeOf<404>()
    expect(errors.NOT_FOUND.details).toBeUndefined()
  })
})

describe('the table that clients carry', () => {
  it.each(['error-table.ts', '../model/states.ts', '../generated/endpoints.ts'])('imports nothing: %s', (file) => {
    const source = readFileSync(new URL(file, import.meta.url), 'utf8')
    expect(source.length).toBeGreaterThan(1000)
    expect(source).not.toMatch(/^(import|export .* from) /m)
  })

  it('knows every code and admits that it does not know others', () => {
    expect(findErrorFacts('OTP_EXPIRED')).toEqual({ status: 410, retry: 'never', exit: 'conflict' })
    expect(findErrorFacts('SOMETHING_NEWER')).toBeUndefined()
    expect(findErrorFacts('constructor')).toBeUndefined()
    expect(Object.keys(errorTable)).toEqual(codes)
  })
})
