import type Koa from 'koa'
import type { RequestState } from './state.ts'

/**
 * Ends the connection of a caller who goes on sending a body that was answered already, a refused one above all. Closing
 * at once would take the answer away from a caller who is still writing, so the rest is let through unread for `waitMs`.
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
