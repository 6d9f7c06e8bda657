import type { Endpoints } from './admin-endpoints.ts'

type Paths = { [R in keyof Endpoints]: Endpoints[R][keyof Endpoints[R]] }
type ListedEndpoint = Paths[keyof Paths]

/** The facts that a caller of an endpoint needs at run time, besides its method and path. */
interface EndpointTraits {
  /** It changes nothing, so the call can always be repeated. True for every GET. */
  readonly reads: boolean
  /** It takes an Idempotency-Key header: it sends or creates, and its response holds no secret. */
  readonly idempotent: boolean
  /** Its response is a stream of server-sent events. */
  readonly stream: boolean
  /** Its `content` is sent as the body, and its other fields in the query, when it is bytes. */
  readonly upload: boolean
  /** Its response is a file. */
  readonly download: boolean
  /** How long the service can take, in milliseconds, where that is longer than usual. */
  readonly timeoutMs?: number
}

const keyed = { idempotent: true } as const
/** A read whose input is too long for a query, so it uses POST. */
const read = { reads: true } as const

/**
 * The traits of the endpoints, for the routes, the client and msgctl. Clients include this file at run time, so it
 * imports nothing but types.
 */
export const traits = {
  'POST /alert/send': keyed,
  'POST /alert/send-image': keyed,
  'POST /alert/send-video': keyed,
  'POST /alert/send-file': keyed,
  'POST /alert/send-voice': keyed,
  'POST /alert/send-contact': keyed,
  'POST /alert/send-location': keyed,
  'POST /alert/send-link': keyed,
  'POST /alert/send-poll': keyed,
  'POST /alert/batch': keyed,
  // An upload that nothing refers to has no effect, so it can be repeated.
  'POST /media': { reads: true, upload: true, timeoutMs: 60_000 },
  'POST /alert/validate': read,
  'POST /alert/messages/:messageId/forward': keyed,
  // The service queries the network for up to 25 s before it responds.
  'POST /recipients/validate': { reads: true, timeoutMs: 60_000 },
  'POST /bulk/campaigns': keyed,
  'POST /bulk/campaigns/preview': read,
  'POST /bulk/campaigns/:id/send': keyed,
  'POST /bulk/campaigns/:id/resume': keyed,
  'POST /reminders': keyed,
  'POST /reminders/import': keyed,
  'POST /otp/send': keyed,
  'POST /session': keyed,
  'POST /session/:containerId/release': keyed,
  'POST /events/:id/replay': keyed,
  'GET /chats/attachments/:id': { download: true, timeoutMs: 60_000 },
  'GET /events/stream': { stream: true },
  'GET /overview/stream': { stream: true },
  'POST /me/webhook/test': keyed,
  'POST /me/webhook/deliveries/replay': keyed,
  // The token of an invitation must not stand in an address.
  'POST /auth/invitation': read,
  'POST /bots': keyed,
  // A model has 20 s to respond, and a second attempt.
  'POST /bots/:botId/ask': { reads: true, timeoutMs: 60_000 },
  'POST /bots/:botId/answers': keyed,
  'POST /bots/:botId/answers/import': keyed,
  'POST /bots/:botId/reviews/:reviewId/resolve': keyed,
  'POST /bots/:botId/products': keyed,
  'POST /bots/:botId/products/import': keyed,
} as const satisfies Partial<Record<ListedEndpoint, Partial<EndpointTraits>>>

/** The traits in the table for the endpoint `E`. */
export type TraitsOf<E extends string> = E extends keyof typeof traits ? (typeof traits)[E] : Record<never, never>

const listed: Readonly<Record<string, Partial<EndpointTraits>>> = traits

/** Returns the traits of `METHOD /path`. An endpoint outside the table is a read or a change by its method. */
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
