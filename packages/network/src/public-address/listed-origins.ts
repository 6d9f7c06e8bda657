import type { Dispatcher } from 'undici'
import { RefusedAddressError } from './failure.ts'

/**
 * Returns a dispatcher that passes on what goes to listed origins, such as `https://example.com`. Everything else fails
 * with {@link RefusedAddressError} before anything is looked up or connected, so also a redirect to another host.
 */
export function onlyListed(dispatcher: Dispatcher, isListed: (origin: string) => boolean): Dispatcher {
  return dispatcher.compose((dispatch) => (options, handler) => {
    if (!isListed(String(options.origin ?? ''))) throw new RefusedAddressError()
    return dispatch(options, handler)
  })
}
