import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
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

// A browser opens connections before it needs them, and takes whatever arrives there for the response to its next
// request.
it.each([
  ['', ''],
  ['GET / HTTP/1.1\r\n', 'HTTP/1.1 400 Bad Request'],
])('a connection that sent %j in time is closed with %j', async (sent, response) => {
  const server = createServer({ headersTimeout: 20, requestTimeout: 20, connectionsCheckingInterval: 5 })
  server.on('clientError', refuseMalformed).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.write(sent)
  expect((await text(socket)).split('\r\n')[0]).toBe(response)
  server.close()
})
