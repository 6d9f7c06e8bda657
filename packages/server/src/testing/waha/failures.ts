import type { GatewayError } from '@msgctl/network/errors'

/** What the fake responds with instead of a result. */
export class WahaFailure extends Error {
  readonly status: number
  readonly body: object

  constructor(status: number, body: object) {
    super(`WAHA responds with ${status}`)
    this.status = status
    this.body = body
  }
}

/** Thrown where a host breaks the connection without a response. */
export class BrokenConnection extends Error {}

/** A request as WAHA repeats it in its errors, with the text of the message. */
export interface Echo {
  readonly path: string
  readonly method: string
  readonly body: unknown
  readonly query: Readonly<Record<string, string>>
}

export type EngineName = 'GOWS' | 'NOWEB'

/** An error inside an engine: status 500, with the request. */
export function engineError(message: string, request: Echo, engine: EngineName): WahaFailure {
  return new WahaFailure(500, {
    statusCode: 500,
    timestamp: new Date().toISOString(),
    exception: { message, name: 'Error', stack: `Error: ${message}\n    at ${engine}` },
    request,
    version: { version: '2026.9.2', engine, tier: 'CORE' },
  })
}

/** A call to a session that is not in the status that the call needs. */
export function wrongStatus(session: string, status: string, expected: readonly string[]): WahaFailure {
  return new WahaFailure(422, {
    error: 'Session status is not as expected. Try again later or restart the session',
    session,
    status,
    expected,
  })
}

export function noSession(): WahaFailure {
  return new WahaFailure(404, { statusCode: 404, message: 'Session not found', error: 'Not Found' })
}

/** What WAHA Core said before 2026.6.1 to every session of another name. */
export function onlyDefault(session: string): WahaFailure {
  const message = `WAHA Core support only 'default' session. You tried to access '${session}' session.`
  return new WahaFailure(422, { statusCode: 422, message, error: 'Unprocessable Entity' })
}

/** A step of a passkey that nothing waits for. */
export function nothingPending(what: string): WahaFailure {
  return new WahaFailure(422, { statusCode: 422, message: `No ${what} is pending`, error: 'Unprocessable Entity' })
}

export function badRequest(message: readonly string[]): WahaFailure {
  return new WahaFailure(400, { statusCode: 400, message, error: 'Bad Request' })
}

/** Returns how an engine reports what the network said; `to` is the recipient as text. */
export function fromNetwork(
  error: GatewayError,
  { request, engine, to }: { readonly request: Echo; readonly engine: EngineName; readonly to: string },
): Error {
  switch (error.kind) {
    case 'recipient':
      return engineError(
        engine === 'GOWS' ? `2 UNKNOWN: no LID found for ${to}@s.whatsapp.net from server` : 'item-not-found',
        request,
        engine,
      )
    case 'new_chat_refused':
    case 'contact_refused':
      return engineError('2 UNKNOWN: server returned error 463', request, engine)
    case 'restricted':
      return engineError('rate-overlimit', request, engine)
    case 'unsupported':
      return engineError('Not available in the engine', request, engine)
    case 'rejected':
      return engineError('2 UNKNOWN: server returned error 479', request, engine)
    case 'session':
      return wrongStatus('', 'STARTING', ['WORKING'])
    case 'unreachable':
    case 'timeout':
      return new BrokenConnection()
  }
}
