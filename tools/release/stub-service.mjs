// Serves the responses that the client's examples need.
import { once } from 'node:events'
import { createServer } from 'node:http'

/** @import { IncomingMessage, ServerResponse } from 'node:http' */
/** @import { AddressInfo } from 'node:net' */

const failed = {
  recipient: '12025550100',
  error: 'The recipient is not on the network.',
  errorCode: 'NUMBER_NOT_ON_NETWORK',
}
const event = { id: 'e-1', event: 'message.failed', data: failed, timestamp: '2026-10-01T00:00:00.000Z' }
const wrongCode = { code: 'OTP_INVALID_CODE', message: 'Wrong.', details: { attemptsRemaining: 2 }, requestId: 'req-1' }

/** @type {Record<string, [status: number, body: object]>} */
const answers = {
  'POST /alert/send': [201, { success: true, messageId: 'm-1' }],
  'GET /messages/0b9f3c1e-52f4-4ac1-9e7e-6a4f7b1c2d3e': [
    200,
    { success: true, message: { id: 'm-1', status: 'sent' } },
  ],
  'GET /alert/messages/m-1': [200, { success: true, message: { id: 'm-1', status: 'read' } }],
  'GET /bots': [200, { success: true, bots: [{ name: 'Nour', status: 'active' }] }],
  'GET /me': [200, { success: true, name: 'Ada' }],
  'GET /messages': [200, { success: true, messages: [{ id: 'm-1', ...failed }], nextCursor: null }],
  'POST /auth/sign-in': [200, { success: true, twoFactorRequired: false, token: 't-1' }],
  'POST /otp/verify': [400, { success: false, error: wrongCode }],
}

/**
 * @param {IncomingMessage} request
 * @param {ServerResponse} response
 */
function answer(request, response) {
  const path = new URL(request.url ?? '/', 'http://localhost').pathname.replace('/api/v1', '')
  if (path === '/events/stream') {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(`id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`)
    return
  }
  const [status, body] = answers[`${request.method} ${path}`] ?? [404, {}]
  response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'req-1' }).end(JSON.stringify(body))
}

/** Starts it on a port of its own; `environment` leads a client to it. */
export async function startStubService() {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = /** @type {AddressInfo} */ (server.address())
  const baseUrl = `http://127.0.0.1:${port}/api/v1`
  return {
    environment: { MSG_API_KEY: 'key', MSG_BASE_URL: baseUrl },
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}
