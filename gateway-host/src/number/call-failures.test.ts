import { describe, expect, it } from 'vitest'
import { withFailures } from '../engine/baileys/queries.ts'
import { toGatewayError } from './call-failures.ts'

/** What becomes of a failure in the form of the library. */
async function failureOf(error: object) {
  const failed = await withFailures(Promise.reject(Object.assign(new Error('x'), error))).catch((reason) => reason)
  return toGatewayError(failed, 'message')
}

describe('a failure of the library', () => {
  it.each([
    ['an error of the server', { data: 503, output: { statusCode: 500 } }, 'unreachable', 'not_sent'],
    ['an upload that failed at all hosts', { data: null, output: { statusCode: 500 } }, 'unreachable', 'not_sent'],
    ['a message that could be encrypted for no device', { output: { statusCode: 500 } }, 'unreachable', 'not_sent'],
    ['a refusal', { data: 400, output: { statusCode: 500 } }, 'rejected', 'not_sent'],
    ['a query without a response', { output: { statusCode: 408 } }, 'timeout', 'unknown'],
    ['the end of the connection', { output: { statusCode: 428 } }, 'session', 'unknown'],
  ])('%s', async (_, error, kind, outcome) => {
    expect(await failureOf(error)).toMatchObject({ kind, outcome })
  })
})
