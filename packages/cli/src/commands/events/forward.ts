import { createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { LoggedEvent } from '@msgctl/contract'
import { sign } from '@msgctl/webhook-verifier'
import type { Context } from '../../context.ts'
import { usageFailure } from '../../errors/exit-codes.ts'
import { version } from '../../host.ts'
import type { Credential } from '../../http/connect.ts'
import { startTimeLimit } from '../../http/time-limit.ts'
import { nodeTransport } from '../../http/transport.ts'

/** The timeout of a receiver, as for deliveries of the service (specification, "Delivery rules"). */
const responseTimeoutMs = 10_000
const firstPauseMs = 1_000
const longestPauseMs = 30_000

/** The receiver of forwarded events, and the secrets that sign them. */
export interface Receiver {
  readonly url: URL
  readonly secrets: readonly string[]
  /** How many attempts an event gets before it is skipped; undefined for any number. */
  readonly attempts: number | undefined
}

/** One attempt: the status of the receiver or the error, and the duration. */
export interface Attempt {
  readonly status: number | null
  readonly error: string | null
  readonly durationMs: number
  /** The beginning of the response of a receiver that refused the event. */
  readonly body: string
}

/** Parses the address of a receiver. Throws a usage error unless it is http or https without a user name. */
export function receiverUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return url
  throw usageFailure(
    '--forward-to requires an http or https URL without a user name.',
    'Example: http://127.0.0.1:8080/hooks',
  )
}

/** Returns the signing secret of forwarded events where the service has none: the same for the same credential. */
export function ownSecret(credential: Credential): string {
  const key = 'apiKey' in credential ? credential.apiKey : credential.token
  return `whsec_${createHmac('sha256', key).update('msgctl events tail --forward-to').digest('hex')}`
}

/** Returns the request of a delivery, newly signed because receivers reject old signatures. */
async function toRequest({ id, event, data, timestamp }: LoggedEvent, secrets: readonly string[], nowMs: number) {
  const body = JSON.stringify({ event, data, timestamp })
  const seconds = Math.floor(nowMs / 1000)
  const headers = {
    'content-type': 'application/json',
    'user-agent': `msgctl/${version}`,
    'x-service-event': event,
    'x-service-delivery': id,
    'x-service-signature': await sign(body, secrets, seconds),
  }
  return { method: 'POST', headers, body, redirect: 'manual' as const }
}

function describeFailure(error: unknown, timedOut: boolean): string {
  if (timedOut) return `no response within ${responseTimeoutMs / 1000} s`
  const { code, message } = error as NodeJS.ErrnoException
  return code === 'ECONNREFUSED' ? 'connection refused' : (code ?? message)
}

const shownBytes = 200

/** Reads a response to its end, so that the receiver can finish, and returns its beginning. */
async function beginning(body: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of body) if (text.length < shownBytes) text += String(chunk)
  return text.trim().slice(0, shownBytes)
}

/** Posts an event once. Throws only on Ctrl-C. */
async function post(context: Context, { url, secrets }: Receiver, event: LoggedEvent): Promise<Attempt> {
  const { host } = context
  const transport = nodeTransport({ origin: url.origin, anonymous: true })
  const limit = startTimeLimit(responseTimeoutMs, host.signal)
  const began = performance.now()
  const took = () => Math.round(performance.now() - began)
  try {
    const request = await toRequest(event, secrets, host.now())
    const response = await transport(url.href, { ...request, signal: limit.signal })
    const body = await beginning(response.body as IncomingMessage)
    return { status: response.status, error: null, durationMs: took(), body }
  } catch (error) {
    host.signal.throwIfAborted()
    return { status: null, error: describeFailure(error, limit.signal.aborted), durationMs: took(), body: '' }
  } finally {
    limit.end()
  }
}

/** Returns whether the receiver accepted the event with a 2xx, as for deliveries of the service. */
function isAccepted({ status }: Attempt): boolean {
  return status !== null && status >= 200 && status < 300
}

/**
 * Posts an event until the receiver accepts it or its attempts are used up, and returns the last attempt. Waits from 1
 * s up to 30 s between attempts, and calls `refused` for each failed one. Throws on Ctrl-C.
 */
export async function forward(
  context: Context,
  receiver: Receiver,
  event: LoggedEvent,
  refused: (attempt: Attempt, pauseMs: number | null) => void,
): Promise<Attempt> {
  const { host } = context
  let count = 0
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
    const attempt = await post(context, receiver, event)
    if (isAccepted(attempt)) {
      context.changed()
      return attempt
    }
    count += 1
    if (count === receiver.attempts) {
      refused(attempt, null)
      return attempt
    }
    refused(attempt, pauseMs)
    await host.wait(pauseMs, host.signal)
    host.signal.throwIfAborted()
  }
}
