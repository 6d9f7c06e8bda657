import type { Endpoint } from '@msgctl/contract'

/** What the middlewares of one request tell each other. */
export interface RequestState {
  requestId: string
  /** The X-Request-Id that the caller sent, when it is of a plain form. */
  inboundId?: string
  /** The route that matched, as its template. */
  endpoint?: Endpoint
  organizationId?: string
  /** The handler has begun, so something may have been changed. */
  handed?: boolean
  /** The code of the error that was answered. */
  errorCode?: string
}
