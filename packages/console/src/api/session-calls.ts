import { MessagingError } from '@msgctl/client'
import { ownHeaders } from './client.ts'
import { servicePath, sessionPath } from './place.ts'

async function readBody(response: Response): Promise<Record<string, unknown>> {
  try {
    return await response.json()
  } catch {
    return {}
  }
}

interface ErrorBody {
  readonly code?: string
  readonly message?: string
  readonly details?: unknown
  readonly issues?: MessagingError['issues']
}

/** Requests a path of the service that is not part of the contract. Throws a MessagingError, as the client does. */
async function call<T>(method: string, path: string, input?: unknown): Promise<T> {
  const json = input === undefined ? {} : { 'content-type': 'application/json' }
  let response: Response
  try {
    response = await fetch(path, {
      method,
      headers: { ...ownHeaders, ...json },
      ...(input === undefined ? {} : { body: JSON.stringify(input) }),
    })
  } catch (cause) {
    throw new MessagingError({ code: 'CONNECTION_FAILED', message: '', cause })
  }
  const body = await readBody(response)
  if (response.ok) return body as T
  const error = (body.error ?? {}) as ErrorBody
  throw new MessagingError({
    code: error.code ?? 'UNKNOWN',
    message: error.message ?? `${response.status} ${response.statusText}`,
    status: response.status,
    details: error.details,
    issues: error.issues,
    requestId: response.headers.get('x-request-id') ?? undefined,
  })
}

/** Calls /console/session or /account/session, which holds the session as a cookie that the page cannot read. */
export function callSession<T>(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  input?: Record<string, unknown>,
): Promise<T> {
  return call(method, sessionPath + path, input)
}

/** Calls the control of the simulated network. */
export function callSimulator<T>(method: string, path: string, input?: Record<string, unknown>): Promise<T> {
  return call(method, servicePath(`/sim/${path}`), method === 'GET' ? undefined : (input ?? {}))
}
