import { ApiError } from '#platform/errors.ts'
import type { Services } from '#services.ts'

/** Returns the handler of a sign-in with a count of its refusals in the metrics. */
export function countRefusals<R, A>(handler: (request: R, services: Services) => Promise<A>) {
  return async (request: R, services: Services): Promise<A> => {
    try {
      return await handler(request, services)
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) services.metrics.signInRefused(error.code)
      throw error
    }
  }
}
