import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { refuseMalformed } from './malformed.ts'

it.each([
  ['HPE_INVALID_METHOD', 'This is not a valid HTTP request.'],
  ['ERR_HTTP_REQUEST_TIMEOUT', 'The request did not arrive in time.'],
])(
  'a request that breaks with %s is refused with the fields that every VALIDATION_ERROR has',
  async (code, message) => {
    const socket = new PassThrough()
    refuseMalformed(Object.assign(new Error(code), { code }), socket)
    const [head, body = ''] = (await text(socket)).split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1.1 400 /)
    expect(JSON.parse(body)).toEqual({
      success: false,
      error: { code: 'VALIDATION_ERROR', message, details: {}, issues: [], requestId: expect.any(String) },
    })
  },
)
