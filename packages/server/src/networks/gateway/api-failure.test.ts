import { GatewayError, type GatewayErrorKind, type SendOutcome } from '@msgctl/network/errors'
import { describe, expect, it } from 'vitest'
import { changeFailure, sendFailure } from './api-failure.ts'

const messageId = '018f3b5e-0000-7000-8000-000000000001'

describe('the error that the caller of a send receives', () => {
  const rows: [GatewayErrorKind, SendOutcome, number, string, object][] = [
    ['session', 'not_sent', 503, 'GATEWAY_SESSION_ERROR', { retryAfterSeconds: 2 }],
    ['session', 'unknown', 504, 'UPSTREAM_TIMEOUT', {}],
    ['unreachable', 'not_sent', 503, 'GATEWAY_UNREACHABLE', { retryAfterSeconds: 2 }],
    ['unreachable', 'unknown', 504, 'UPSTREAM_TIMEOUT', {}],
    ['timeout', 'not_sent', 504, 'UPSTREAM_TIMEOUT', {}],
    ['timeout', 'unknown', 504, 'UPSTREAM_TIMEOUT', {}],
    ['rejected', 'not_sent', 502, 'GATEWAY_ERROR', { reason: 'rejected' }],
    ['restricted', 'not_sent', 502, 'GATEWAY_ERROR', { reason: 'restricted' }],
    ['new_chat_refused', 'not_sent', 502, 'GATEWAY_ERROR', { reason: 'new_chat_refused' }],
    ['contact_refused', 'not_sent', 502, 'GATEWAY_ERROR', { reason: 'contact_refused' }],
    ['unsupported', 'not_sent', 502, 'GATEWAY_ERROR', { reason: 'unsupported' }],
  ]
  it.each(rows)('of %s, %s, is %i %s', (kind, outcome, status, code, more) => {
    const error = sendFailure(new GatewayError(kind, 'safe words', { outcome, retryAfterMs: 1500 }), messageId)
    expect(error).toMatchObject({ status, code, message: 'safe words' })
    expect(error.details).toEqual({ messageId, outcome, ...more })
  })

  it('of a recipient who is not there, names the message', () => {
    const error = sendFailure(new GatewayError('recipient', 'nobody'), messageId)
    expect(error).toMatchObject({ code: 'NUMBER_NOT_ON_NETWORK', details: { messageId } })
  })
})

describe('the error that the caller of a change receives', () => {
  it.each([
    ['session', 'GATEWAY_SESSION_ERROR'],
    ['unreachable', 'GATEWAY_UNREACHABLE'],
    ['timeout', 'UPSTREAM_TIMEOUT'],
    ['rejected', 'GATEWAY_ERROR'],
    ['recipient', 'GATEWAY_ERROR'],
    ['restricted', 'GATEWAY_ERROR'],
    ['new_chat_refused', 'GATEWAY_ERROR'],
    ['contact_refused', 'GATEWAY_ERROR'],
    ['unsupported', 'GATEWAY_ERROR'],
  ] as const)('of %s is %s, without an outcome, for nothing was sent', (kind, code) => {
    const error = changeFailure(new GatewayError(kind, 'safe words'), messageId)
    expect(error).toMatchObject({ code, details: { messageId } })
    expect(error.details).not.toHaveProperty('outcome')
  })
})
