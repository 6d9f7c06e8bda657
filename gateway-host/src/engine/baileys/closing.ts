import type { Closing } from '../engine.ts'
import { PasskeyDemanded } from '../failures.ts'

/** Dates of the network are seconds since 1970; smaller numbers are durations. */
const firstDate = 1_000_000_000
const restricted = 402

/**
 * Returns why the library ended a connection, from the error that it gives. `nowMs` is the machine's clock. An error
 * that holds another one is of the way to the network: the library turns the status with which a proxy responds, and
 * the code of a socket, into what looks like a code of the network.
 */
export function closingOf(error: unknown, nowMs: number): Closing {
  const { output, data } = (error ?? {}) as { output?: { statusCode?: number }; data?: unknown }
  const isPasskeyDemanded = error instanceof PasskeyDemanded
  if (data instanceof Error)
    return { code: null, cause: null, expiresAt: null, location: null, obstacle: obstacleOf(data), isPasskeyDemanded }
  const { attrs = data } = (data ?? {}) as { attrs?: unknown }
  const { code: cause, expire, location } = (attrs ?? {}) as Readonly<Record<string, unknown>>
  const code = output?.statusCode ?? null
  return {
    code,
    cause: code === restricted && Number.isInteger(Number(cause)) ? Number(cause) : null,
    expiresAt: endOf(Number(expire), nowMs),
    location: typeof location === 'string' ? location : null,
    obstacle: null,
    isPasskeyDemanded,
  }
}

/** The error that ends a connection when a proxy responds with this status. */
export function noUpgrade(status: number): Error {
  return Object.assign(new Error('no upgrade'), { data: new Error(`Unexpected server response: ${status}`) })
}

function endOf(expire: number, nowMs: number): Date | null {
  if (!Number.isFinite(expire) || expire <= 0) return null
  return new Date(expire < firstDate ? nowMs + expire * 1000 : expire * 1000)
}

/** The status of an HTTP response, the code of a socket, or the kind of the error: nothing that names an address. */
function obstacleOf(error: Error): string {
  const [, status] = /Unexpected server response: (\d{3})/.exec(error.message) ?? []
  const { code } = error as { code?: unknown }
  return status ?? (typeof code === 'string' ? code : error.name)
}
