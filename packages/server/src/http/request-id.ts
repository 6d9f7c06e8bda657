import { randomUUID } from 'node:crypto'
import type Koa from 'koa'
import type { RequestState } from './state.ts'

const header = 'X-Request-Id'
const inboundForm = /^[\w.-]{1,64}$/

/**
 * Gives every request an id of our own and puts it on the answer before anything can go wrong (specification,
 * "Conventions"). An id the caller sent is only remembered for the log, and only when it is short and plain.
 */
export const requestId: Koa.Middleware<RequestState> = (ctx, next) => {
  ctx.state.requestId = randomUUID()
  ctx.set(header, ctx.state.requestId)
  const inbound = ctx.get(header)
  if (inboundForm.test(inbound)) ctx.state.inboundId = inbound
  return next()
}
