import { traits } from './generated/traits.ts'

export { traits } from './generated/traits.ts'

/** What a caller of an endpoint needs to know at run time, besides its method and path. `route.ts` explains it. */
interface EndpointTraits {
  /** It changes nothing, so the call can always be repeated. True for every GET. */
  readonly reads: boolean
  readonly idempotent: boolean
  readonly stream: boolean
  readonly upload: boolean
  readonly download: boolean
  readonly timeoutMs?: number
}

const listed: Readonly<Record<string, Partial<EndpointTraits>>> = traits

/** Returns the traits of `METHOD /path`. Clients include this file at run time, so it imports nothing but a table. */
export function endpointTraits(endpoint: string): EndpointTraits {
  return {
    reads: endpoint.startsWith('GET '),
    idempotent: false,
    stream: false,
    upload: false,
    download: false,
    ...(Object.hasOwn(listed, endpoint) ? listed[endpoint] : {}),
  }
}
