import type Koa from 'koa'
import type { RequestState } from './state.ts'

/**
 * Closes the connection of a caller who continues to send a body after its response, usually a refusal. Closing at once
 * would lose the response for a caller who is still writing, so the rest is discarded for up to `waitMs` first.
 */
export function drainUnreadBody(waitMs: number): Koa.Middleware<RequestState> {
  return ({ req, res }, next) => {
    res.once('finish', () => {
      if (req.complete) return
      const timer = setTimeout(() => req.socket.destroy(), waitMs)
      req.once('close', () => clearTimeout(timer)).resume()
    })
    return next()
  }
}
