/**
 * Why a fetch from a stranger's address failed: for logs and metrics. Tenants are shown one wording for all of them.
 */
export type FetchFailure = 'refused' | 'unreachable' | 'timeout' | 'too_large' | 'redirects'

/**
 * Thrown when a fetch fails. The message is the same for every reason, so that a tenant cannot probe a network with it.
 */
export class PublicFetchError extends Error {
  readonly reason: FetchFailure

  constructor(reason: FetchFailure, options?: ErrorOptions) {
    super('The address could not be reached, is not public, or did not answer in time.', options)
    this.name = 'PublicFetchError'
    this.reason = reason
  }
}

/** A connection to an address that is not public; nothing was sent. */
export class RefusedAddressError extends Error {
  constructor() {
    super('the address is not public')
    this.name = 'RefusedAddressError'
  }
}

/** The reason behind whatever the connection, the request or the body threw. */
export function toFetchError(error: unknown, deadline: AbortSignal): PublicFetchError {
  if (error instanceof PublicFetchError) return error
  if (deadline.aborted) return new PublicFetchError('timeout', { cause: error })
  const refused = error instanceof RefusedAddressError
  return new PublicFetchError(refused ? 'refused' : 'unreachable', { cause: error })
}
