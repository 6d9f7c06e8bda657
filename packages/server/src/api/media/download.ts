import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { PublicFetchError } from '@msgctl/network/public-address/failure'
import type { PublicFetch } from '@msgctl/network/public-address/fetch'
import { apiError } from '#platform/errors.ts'
import { causeOf } from '#platform/log/cause.ts'
import type { Log } from '#platform/log/log-events.ts'
import type { Format } from './format.ts'
import { type Claims, inspect, notAllowed, tooLarge } from './inspect.ts'
import { nameFromServer } from './name.ts'
import type { MediaRule } from './rule.ts'

/** The parameters of one download. */
export interface DownloadRequest {
  readonly url: string
  /** The name that the caller gave, else null. */
  readonly name: string | null
  readonly rule: MediaRule
  /** Where to write it; there is no such file yet. */
  readonly file: string
  readonly deadlineMs: number
  readonly userAgent: string
  readonly signal: AbortSignal
}

/** What was downloaded. */
export interface Downloaded {
  readonly format: Format
  /** The caller's name for it, else the server's; empty when neither has one. */
  readonly name: string
  readonly sizeBytes: number
}

const maxRedirects = 3

type Headers = Readonly<Record<string, string | string[] | undefined>>

/**
 * Downloads a file from an untrusted link, chunk by chunk. A file that is too large or of another type is refused as
 * soon as that is known. Throws SEND_FILE_TOO_LARGE, SEND_FILE_TYPE_NOT_ALLOWED and SEND_FILE_URL_UNREACHABLE. The
 * caller removes the partial file.
 */
export async function download(request: DownloadRequest, by: { fetch: PublicFetch; log: Log }): Promise<Downloaded> {
  const { maxBytes } = request.rule
  try {
    const response = await by.fetch({
      url: request.url,
      method: 'GET',
      headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': request.userAgent },
      deadlineMs: request.deadlineMs,
      maxBytes,
      maxRedirects,
      signal: request.signal,
    })
    const refusal = refusalOf(response.status, response.headers, request.rule)
    if (refusal) {
      await response.discard()
      throw refusal
    }
    return await save(
      response.body,
      { name: nameOf(request, response.headers), contentType: contentTypeOf(response.headers) },
      request,
    )
  } catch (error) {
    if (!(error instanceof PublicFetchError)) throw error
    // The caller is not given the cause: it would show what is behind an address inside of the network.
    by.log.info({ event: 'download_failed', cause: causeOf(error), reason: error.reason }, 'failed to download a file')
    throw error.reason === 'too_large' ? tooLarge(maxBytes) : unreachable()
  }
}

/** Returns why the head of the response is refused, or null. */
function refusalOf(status: number, headers: Headers, rule: MediaRule): Error | null {
  if (status !== 200) return unreachable()
  if (Number(headers['content-length'] ?? 0) > rule.maxBytes) return tooLarge(rule.maxBytes)
  // The request accepts no compression. A compressed response is not unpacked, because its size is unknown.
  const encoding = headers['content-encoding'] ?? 'identity'
  return encoding === 'identity' ? null : notAllowed(rule)
}

function nameOf(request: DownloadRequest, headers: Headers): string {
  const disposition = headers['content-disposition']
  return request.name ?? nameFromServer(request.url, typeof disposition === 'string' ? disposition : undefined)
}

function contentTypeOf(headers: Headers): string {
  return String(headers['content-type'] ?? '')
}

async function save(body: AsyncIterable<Buffer>, claims: Claims, request: DownloadRequest): Promise<Downloaded> {
  const inspector = inspect(claims, request.rule)
  async function* inspected(): AsyncGenerator<Buffer> {
    for await (const chunk of body) {
      inspector.see(chunk)
      yield chunk
    }
  }
  await pipeline(inspected, createWriteStream(request.file, { flags: 'wx', mode: 0o600 }))
  return { ...inspector.end(), name: claims.name }
}

/** Returns one error for all causes, so that callers cannot explore the service's network with it. */
function unreachable() {
  return apiError(
    'SEND_FILE_URL_UNREACHABLE',
    'The link cannot be fetched. Use a public https link to the file itself.',
  )
}
