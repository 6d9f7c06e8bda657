import type { IncomingMessage } from 'node:http'
import type { LoggedEvent } from '@msgctl/contract'
import { sign } from '@msgctl/webhook-verifier'
import type { Context } from '../../context.ts'
import { usageFailure } from '../../errors/exit-codes.ts'
import { startTimeLimit } from '../../http/time-limit.ts'
import { nodeTransport } from '../../http/transport.ts'
import { version } from '../../version.ts'

/** The time a receiver has for its answer, as for the service's own deliveries (specification, "Delivery rules"). */
const answerWithinMs = 10_000
const firstPauseMs = 1_000
const longestPauseMs = 30_000

/** Where events are forwarded, and the secret they are signed with; null leaves them unsigned. */
export interface Receiver {
  readonly url: URL
  readonly secret: string | null
}

/** One attempt: what the receiver answered, or why it did not, and how long it took. */
export interface Attempt {
  readonly status: number | null
  readonly error: string | null
  readonly durationMs: number
}

/** The address as it was typed. Throws a usage failure when nothing can be posted there. */
export function receiverUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return url
  throw usageFailure('--forward-to takes an http or https address without a user name.', 'http://127.0.0.1:8080/hooks')
}

/** The request of the service's own delivery, signed anew because receivers refuse an old signature. */
async function requestOf({ id, event, data, timestamp }: LoggedEvent, secret: string | null, nowMs: number) {
  const body = JSON.stringify({ event, data, timestamp })
  const signature = secret === null ? {} : { 'x-service-signature': await sign(body, secret, Math.floor(nowMs / 1000)) }
  const headers = {
    'content-type': 'application/json',
    'user-agent': `msgctl/${version}`,
    'x-service-event': event,
    'x-service-delivery': id,
    ...signature,
  }
  return { method: 'POST', headers, body, redirect: 'manual' as const }
}

function reasonOf(error: unknown, timedOut: boolean): string {
  if (timedOut) return `no answer within ${answerWithinMs / 1000} s`
  const { code, message } = error as NodeJS.ErrnoException
  return code === 'ECONNREFUSED' ? 'nobody listens there' : (code ?? message)
}

/** Posts an event once. Throws only when the person pressed Ctrl-C. */
async function post(context: Context, { url, secret }: Receiver, event: LoggedEvent): Promise<Attempt> {
  const { host } = context
  const transport = nodeTransport({ origin: url.origin, anonymous: true })
  const limit = startTimeLimit(answerWithinMs, host.signal)
  const began = performance.now()
  const took = () => Math.round(performance.now() - began)
  try {
    const request = await requestOf(event, secret, host.now())
    const answer = await transport(url.href, { ...request, signal: limit.signal })
    // Only the status counts; the rest is read away so that the receiver can finish.
    ;(answer.body as IncomingMessage).resume()
    return { status: answer.status, error: null, durationMs: took() }
  } catch (error) {
    host.signal.throwIfAborted()
    return { status: null, error: reasonOf(error, limit.signal.aborted), durationMs: took() }
  } finally {
    limit.end()
  }
}

/** Whether the receiver took it: any 2xx, as for the service's own deliveries. */
function isTaken({ status }: Attempt): boolean {
  return status !== null && status >= 200 && status < 300
}

/**
 * Posts an event until the receiver takes it, and answers that attempt. Waits from 1 s up to 30 s between attempts;
 * `refused` hears of each that failed. Throws when the person presses Ctrl-C meanwhile.
 */
export async function forward(
  context: Context,
  receiver: Receiver,
  event: LoggedEvent,
  refused: (attempt: Attempt, pauseMs: number) => void,
): Promise<Attempt> {
  const { host } = context
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
    const attempt = await post(context, receiver, event)
    if (isTaken(attempt)) {
      context.changed()
      return attempt
    }
    refused(attempt, pauseMs)
    await host.wait(pauseMs, host.signal)
    host.signal.throwIfAborted()
  }
}
