import type { Endpoints } from './endpoints.ts'

type Paths = { [R in keyof Endpoints]: Endpoints[R][keyof Endpoints[R]] }
type ListedEndpoint = Paths[keyof Paths]

/** What a caller of an endpoint must know at run time, beside its method and path. */
interface EndpointTraits {
  /** Nothing changes: the call may be repeated whatever happened to it. True of every GET. */
  readonly reads: boolean
  /** It takes an Idempotency-Key header: it sends or creates, and its response holds no secret. */
  readonly idempotent: boolean
  /** Its response is a stream of server-sent events. */
  readonly stream: boolean
  /** How long the service may need, in milliseconds, where that is longer than usual. */
  readonly timeoutMs?: number
}

const keyed = { idempotent: true } as const
/** A question too long for a query, so it is asked by POST. */
const question = { reads: true } as const

/**
 * The one list of what endpoints are besides their method and path. Routes, clients and the command line take it from
 * here. Clients carry it at run time, so it imports nothing.
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
  'POST /alert/validate': question,
  'POST /alert/messages/:messageId/forward': keyed,
  // The service asks the network for up to 25 s before it responds.
  'POST /recipients/validate': { reads: true, timeoutMs: 60_000 },
  'POST /bulk/campaigns': keyed,
  'POST /bulk/campaigns/preview': question,
  'POST /bulk/campaigns/:id/send': keyed,
  'POST /bulk/campaigns/:id/resume': keyed,
  'POST /reminders': keyed,
  'POST /reminders/import': keyed,
  'POST /otp/send': keyed,
  'POST /session': keyed,
  'POST /session/:containerId/release': keyed,
  'POST /events/:id/replay': keyed,
  'GET /events/stream': { stream: true },
  'POST /me/webhook/test': keyed,
} as const satisfies Partial<Record<ListedEndpoint, Partial<EndpointTraits>>>

/** The traits that the table lists for the endpoint `E`, or none. */
export type TraitsOf<E extends string> = E extends keyof typeof traits ? (typeof traits)[E] : Record<never, never>

const listed: Readonly<Record<string, Partial<EndpointTraits>>> = traits

/** Returns the traits of `METHOD /path`. An endpoint outside the table is a plain read or change, by its method. */
export function endpointTraits(endpoint: string): EndpointTraits {
  const { reads, idempotent, stream, timeoutMs } = Object.hasOwn(listed, endpoint) ? (listed[endpoint] ?? {}) : {}
  return {
    reads: reads ?? endpoint.startsWith('GET '),
    idempotent: idempotent ?? false,
    stream: stream ?? false,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  }
}
