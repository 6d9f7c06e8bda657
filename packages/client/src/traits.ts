import type { Contract } from '@msgctl/contract'

type Routes = { [R in keyof Contract]: Contract[R][keyof Contract[R]] }[keyof Contract]
/** The endpoints of the contract's routes that promise `P`. */
type EndpointsOf<P> = Extract<Routes, P> extends { readonly endpoint: infer E extends string } ? E : never
type Endpoint = EndpointsOf<unknown>

/** What the client must know of a route at run time, beside its method and path. */
export interface Traits {
  /** Nothing changes: the call may be repeated whatever happened to it. */
  readonly reads: boolean
  /** It takes an Idempotency-Key. */
  readonly idempotent: boolean
  /** Its answer is a stream of server-sent events. */
  readonly stream: boolean
  /** It may need longer than other calls, in milliseconds. */
  readonly timeoutMs?: number
}

/** The contract itself is no part of the bundle, so its marks are repeated here; its types demand exactly these names. */
const idempotent: Readonly<Record<EndpointsOf<{ readonly idempotent: true }>, true>> = {
  'POST /alert/send': true,
  'POST /alert/send-image': true,
  'POST /alert/send-video': true,
  'POST /alert/send-file': true,
  'POST /alert/send-voice': true,
  'POST /alert/send-contact': true,
  'POST /alert/send-location': true,
  'POST /alert/send-link': true,
  'POST /alert/send-poll': true,
  'POST /alert/batch': true,
  'POST /alert/messages/:messageId/forward': true,
  'POST /bulk/campaigns': true,
  'POST /bulk/campaigns/:id/send': true,
  'POST /bulk/campaigns/:id/resume': true,
  'POST /reminders': true,
  'POST /reminders/import': true,
  'POST /otp/send': true,
  'POST /session': true,
  'POST /session/:containerId/release': true,
  'POST /events/:id/replay': true,
  'POST /me/webhook/test': true,
}

const streams: Readonly<Record<EndpointsOf<{ readonly stream: true }>, true>> = { 'GET /events/stream': true }

/** Questions that are asked by POST because they are long. */
const questions: Readonly<Partial<Record<Endpoint, true>>> = {
  'POST /alert/validate': true,
  'POST /recipients/validate': true,
  'POST /bulk/campaigns/preview': true,
}

/** The service asks the network for up to 25 s before it answers. */
const timeouts: Readonly<Partial<Record<Endpoint, number>>> = { 'POST /recipients/validate': 60_000 }

/** The traits of `METHOD /path`. An endpoint the contract does not have is a plain read or change, by its method. */
export function traitsOf(endpoint: string): Traits {
  const timeoutMs = timeouts[endpoint as Endpoint]
  return {
    reads: endpoint.startsWith('GET ') || Object.hasOwn(questions, endpoint),
    idempotent: Object.hasOwn(idempotent, endpoint),
    stream: Object.hasOwn(streams, endpoint),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  }
}
