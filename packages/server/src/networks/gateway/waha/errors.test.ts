import { describe, expect, it } from 'vitest'
import { failureTable, toGatewayError } from './errors.ts'

const secret = 'the text of a message'
const request = { path: '/api/sendText', method: 'POST', body: { text: secret, chatId: '12025550100@c.us' } }
const engineError = (message: string) => ({ statusCode: 500, exception: { message, stack: secret }, request })

/** One response for each row of the table, in its order, and what becomes of it. */
const cases: readonly [status: number, body: unknown, kind: string, outcome: string][] = [
  [
    422,
    { error: 'Session status is not as expected.', status: 'STARTING', expected: ['WORKING'], request },
    'session',
    'not_sent',
  ],
  [404, { statusCode: 404, message: 'Session not found', error: 'Not Found' }, 'session', 'not_sent'],
  [401, { message: 'Unauthorized', statusCode: 401 }, 'unreachable', 'not_sent'],
  [502, '<html>Bad gateway</html>', 'unreachable', 'unknown'],
  [500, engineError('2 UNKNOWN: server returned error 463'), 'contact_refused', 'not_sent'],
  [500, engineError('rate-overlimit'), 'restricted', 'not_sent'],
  [500, engineError('2 UNKNOWN: no LID found for 1@s.whatsapp.net from server'), 'recipient', 'not_sent'],
  [500, engineError('Method is not available in the engine.'), 'unsupported', 'not_sent'],
  [500, engineError('2 UNKNOWN: server returned error 400'), 'rejected', 'not_sent'],
  [500, engineError('2 UNKNOWN: server returned error 479'), 'rejected', 'not_sent'],
]

describe('the error for a response of WAHA', () => {
  it.each(cases.map((one, n) => [failureTable[n]?.name ?? '', ...one] as const))(
    'when %s',
    (_name, status, body, kind, outcome) => {
      const error = toGatewayError({ status, body }, 'send')
      expect(error).toMatchObject({ kind, outcome })
      expect(`${error.message} ${error.stack} ${JSON.stringify(error)}`).not.toContain(secret)
    },
  )

  it('has a case above for every row, which decides it', () => {
    expect(cases).toHaveLength(failureTable.length)
    for (const [n, [status, body, kind]] of cases.entries()) {
      const row = failureTable[n]
      expect(toGatewayError({ status, body }, 'call').safeMessage).toBe(row?.sentence)
      expect(toGatewayError({ status, body }, 'send').safeMessage).toBe(row?.sentenceOfSend ?? row?.sentence)
      expect(row?.kind).toBe(kind)
    }
  })

  it('speaks of a message as every driver does', () => {
    expect(toGatewayError({ status: 500, body: undefined }, 'send').safeMessage).toBe(
      'The network refused the message.',
    )
  })

  it.each([
    ['another word for a limit', 429, { message: 'Too Many Requests' }, 'restricted'],
    ['a key of another scope', 403, { message: 'Forbidden' }, 'unreachable'],
    ['a proxy whose wait timed out', 504, undefined, 'unreachable'],
    ['a recipient that NOWEB does not find', 500, engineError('item-not-found'), 'recipient'],
    ['a feature of the paid edition', 422, { message: 'The feature is available only in Plus version' }, 'unsupported'],
    ['a route that this version lacks', 404, { message: 'Cannot POST /api/send/link-custom-preview' }, 'unsupported'],
    ['a message that is gone', 404, { message: 'Message not found' }, 'rejected'],
    ['a body that WAHA refuses', 400, { message: ['text must be a string'] }, 'rejected'],
    ['no JSON at all', 500, undefined, 'rejected'],
    ['JSON of another form', 500, [1, { exception: 7 }], 'rejected'],
  ])('knows %s', (_name, status, body, kind) => {
    expect(toGatewayError({ status, body }, 'call')).toMatchObject({ kind, outcome: 'not_sent' })
  })

  it('is not misled by the text of the message that the response repeats', () => {
    const quoted = {
      ...engineError('boom'),
      request: { body: { text: 'error 463 rate-overlimit item-not-found 429' } },
    }
    expect(toGatewayError({ status: 500, body: quoted }, 'send').kind).toBe('rejected')
  })
})
