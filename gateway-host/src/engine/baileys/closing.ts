import type { Closing } from '../engine.ts'

/** Returns the network's code and date from the error with which the library ended a connection. */
export function closingOf(error: unknown): Closing {
  const { output, data } = (error ?? {}) as {
    output?: { statusCode?: number }
    data?: Record<string, unknown> | null
  }
  const expire = Number(data?.expire)
  const expiresAt = Number.isFinite(expire) && expire > 0 ? new Date(expire * 1000) : null
  return { code: output?.statusCode ?? null, expiresAt }
}
