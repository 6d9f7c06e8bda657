import type { Dispatcher } from 'undici'
import { startTimeLimit, type TimeLimit } from '../timeout.ts'
import { type AllowedRanges, readRanges } from './address.ts'
import { publicAgent } from './agent.ts'
import { PublicFetchError, toFetchError } from './failure.ts'
import { type Lookup, resolveName } from './lookup.ts'
import { judgedUrl, redirectTarget } from './redirect.ts'

/** One exchange with an address that a stranger gave us. */
export interface PublicRequest {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** For everything: lookup, connection, redirects and the last byte of the body. */
  readonly deadlineMs: number
  /** Bytes of the answer's body that are read at most. */
  readonly maxBytes: number
  /** How many redirects are followed; from https never to http. */
  readonly maxRedirects: number
  /** Ends the fetch early. */
  readonly signal?: AbortSignal
}

/** An answer whose body has yet to be read or discarded; until then it holds its connection. */
interface PublicResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The bytes as they came, never decompressed. Throws PublicFetchError: too_large, timeout or unreachable. */
  readonly body: AsyncIterable<Buffer>
  /** Discards a small rest so that the connection can be used again, and closes it when there is more. */
  discard(): Promise<void>
}

/** Fetches from public addresses only. Throws {@link PublicFetchError}. */
export interface PublicFetch {
  (request: PublicRequest): Promise<PublicResponse>
  /** Ends every connection. */
  close(): Promise<void>
}

const discardedBytes = 16 * 1024
const discardMs = 1000
const redirects = new Set([301, 302, 303, 307, 308])

/**
 * Opens the way to strangers' addresses. `allowPrivateTargets` names ranges that may be reached although they are
 * private; `lookup` replaces DNS.
 */
export function openPublicFetch(allowPrivateTargets: readonly string[], lookup: Lookup = resolveName): PublicFetch {
  const allowed: AllowedRanges = readRanges(allowPrivateTargets)
  const agent = publicAgent(allowed, lookup)
  const fetch = async (request: PublicRequest) => fetchOver(await agent.get(), request, allowPrivateTargets)
  return Object.assign(fetch, { close: agent.close })
}

/**
 * Fetches over a dispatcher. Addresses are judged by what is written in them; the dispatcher decides where its sockets
 * go. Throws {@link PublicFetchError}.
 */
export async function fetchOver(
  dispatcher: Dispatcher,
  request: PublicRequest,
  allowed: readonly string[],
): Promise<PublicResponse> {
  const limit = startTimeLimit(request.deadlineMs, request.signal)
  try {
    let url = judgedUrl(request.url, allowed)
    for (let left = request.maxRedirects; ; left--) {
      const answer = await exchange(dispatcher, url, request, limit.signal)
      const location = answer.headers.location
      if (request.maxRedirects === 0 || !redirects.has(answer.statusCode) || typeof location !== 'string')
        return response(answer, request, limit)
      await discard(answer)
      if (left === 0) throw new PublicFetchError('redirects')
      url = redirectTarget(url, location, allowed)
    }
  } catch (error) {
    limit.end()
    throw error
  }
}

async function exchange(dispatcher: Dispatcher, url: URL, request: PublicRequest, signal: AbortSignal) {
  try {
    return await dispatcher.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: request.method,
      headers: request.headers,
      body: request.body ?? null,
      signal,
      // A second guard beside the signal: neither the head nor the next chunk may take longer than everything.
      headersTimeout: request.deadlineMs,
      bodyTimeout: request.deadlineMs,
    })
  } catch (error) {
    throw toFetchError(error, signal)
  }
}

function response(answer: Dispatcher.ResponseData, request: PublicRequest, limit: TimeLimit): PublicResponse {
  return {
    status: answer.statusCode,
    headers: answer.headers,
    body: bounded(answer.body, request.maxBytes, limit),
    async discard() {
      await discard(answer)
      limit.end()
    },
  }
}

async function* bounded(body: AsyncIterable<Buffer>, maxBytes: number, limit: TimeLimit): AsyncGenerator<Buffer> {
  let bytes = 0
  try {
    for await (const chunk of body) {
      bytes += chunk.length
      if (bytes > maxBytes) throw new PublicFetchError('too_large')
      yield chunk
    }
  } catch (error) {
    throw toFetchError(error, limit.signal)
  } finally {
    limit.end()
  }
}

async function discard({ body }: Dispatcher.ResponseData): Promise<void> {
  const limit = startTimeLimit(discardMs)
  await body.dump({ limit: discardedBytes, signal: limit.signal }).catch(() => undefined)
  limit.end()
}
