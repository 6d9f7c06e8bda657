import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { bodyBoundsOf } from '#api/http/body/scan.ts'
import { readJson } from '#api/http/body.ts'
import { type ParsedInput, parseBulkInput, parseInput } from '#api/http/parse.ts'
import type { MountedRoute } from '#testing/matrix/mounted.ts'
import { bodySchemaOf } from './largest-input.ts'

/** As a socket reads them. */
const chunkBytes = 64 * 1024

/** What arrives of one request. */
export interface Arriving {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: Buffer
}

/** Reads and validates a request as the service does, without its credentials. */
export async function readInput({ route }: MountedRoute, { params, query, body }: Arriving): Promise<ParsedInput> {
  const read = bodySchemaOf(route)
  const checked = read ? { ...route, body: read } : route
  const raw = {
    params,
    query,
    body: read ? await readJson(requestOf(body), { ...bodyBoundsOf(route), timeoutMs: 60_000 }) : undefined,
  }
  return route.bulk ? parseBulkInput(checked, raw, []) : parseInput(checked, raw, [])
}

/** A request with a body (default: JSON), as far as the readers of bodies read it. */
export function requestOf(body: Buffer, contentType = 'application/json'): IncomingMessage {
  const chunks = Array.from({ length: Math.ceil(body.length / chunkBytes) }, (_, n) =>
    body.subarray(n * chunkBytes, (n + 1) * chunkBytes),
  )
  const headers = { 'content-type': contentType, 'content-length': String(body.length) }
  return Object.assign(Readable.from(chunks), { headers }) as unknown as IncomingMessage
}
