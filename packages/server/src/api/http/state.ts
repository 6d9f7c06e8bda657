import type { Endpoint } from '@msgctl/contract'
import type Koa from 'koa'
import type { Carrier } from '#api/access/token-store.ts'

/** The state that the middlewares of one request share. */
export interface RequestState {
  requestId: string
  /** The X-Request-Id that the caller sent, when it is of a plain form. */
  inboundId?: string
  /** The route that matched, as its template. */
  endpoint?: Endpoint
  organizationId?: string
  /** How a session that this request begins will be presented (default: bearer). */
  carrier?: Carrier
  /** The handler has begun, so it may have changed something. */
  handed?: boolean
  /** The code of the error in the response. */
  errorCode?: string
}

/** Koa's context of a matched route. */
export type RouteContext = Koa.ParameterizedContext<RequestState, { params: Record<string, string> }>
