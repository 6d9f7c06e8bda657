import { endpoints } from '@msgctl/contract/endpoints'
import { endpointTraits } from '@msgctl/contract/traits'
import type { FlatInput } from './address.ts'
import type { Success } from './attempt.ts'
import { call } from './call.ts'
import { type Clock, systemClock } from './clock.ts'
import { invalidInput } from './error.ts'
import { type Page, paginate } from './paginate.ts'
import type { CallOptions, Core, SendOptions } from './prepare.ts'
import type { Resources } from './resources.ts'
import { type ClientOptions, settingsFrom } from './settings.ts'
import { followStream, type StreamOptions } from './stream.ts'
import type { WithResponse } from './types.ts'

/** The client: every resource of the contract, and {@link RawRequest} for what it does not name. */
export type MessagingClient = Resources & { readonly request: RawRequest }

/**
 * Calls any path below the base URL, with the same keys, time-outs and retries: `request('GET', '/messages', { limit: 1 })`.
 * The input becomes the query of a GET, else the JSON body. An Idempotency-Key is sent where the path is known to take
 * one, or when it is given.
 */
export type RawRequest = (
  method: string,
  path: string,
  input?: FlatInput,
  options?: SendOptions,
) => Promise<WithResponse<unknown>>

/** Where the next page's cursor goes, for the one route that does not call it `cursor`. */
const cursorParameters: Readonly<Record<string, string>> = { 'GET /events': 'after' }

function withResponse({ data, response, requestId }: Success): WithResponse<unknown> {
  return { data, response: { status: response.status, headers: response.headers }, requestId }
}

/** One endpoint as a function. The types decide which of its companions a caller sees. */
function bind(core: Core, endpoint: string) {
  if (endpointTraits(endpoint).stream) {
    return (input: FlatInput = {}, options: StreamOptions = {}) => followStream(core, endpoint, input, options)
  }
  const plain = async (input: FlatInput = {}, options: SendOptions = {}) =>
    (await call(core, endpoint, input, options)).data
  return Object.assign(plain, {
    withResponse: async (input: FlatInput = {}, options: SendOptions = {}) =>
      withResponse(await call(core, endpoint, input, options)),
    all: (input: FlatInput = {}, options: CallOptions = {}) =>
      paginate(
        async (page) => (await call(core, endpoint, page, options)).data as Page,
        input,
        cursorParameters[endpoint] ?? 'cursor',
      ),
  })
}

function bindAll(core: Core, table: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(table).map(([name, endpoint]) => [name, bind(core, endpoint)]))
}

/** A client over a clock of the caller's. Throws a TypeError that names the option at fault. */
export function createClient(options: ClientOptions, clock: Clock): MessagingClient {
  const core: Core = { settings: settingsFrom(options), clock, honoursKeys: false }
  const request: RawRequest = async (method, path, input = {}, callOptions = {}) => {
    const verb = method.toUpperCase()
    if (!/^(GET|POST|PUT|PATCH|DELETE)$/.test(verb))
      throw invalidInput('method must be GET, POST, PUT, PATCH or DELETE.')
    if (!path.startsWith('/')) throw invalidInput('path must begin with a slash; it is relative to baseUrl.')
    return withResponse(await call(core, `${verb} ${path}`, input, callOptions))
  }
  const resources = Object.entries(endpoints).map(([name, table]) => [name, bindAll(core, table)])
  return { ...Object.fromEntries(resources), request } as MessagingClient
}

/**
 * Makes a client: `new MessagingClient({ apiKey, baseUrl })`. Throws a TypeError that names the option at fault. What is
 * made holds the key in closures only, so no inspection or serialisation of it can show one.
 */
export const MessagingClient = class {
  constructor(options: ClientOptions = {}) {
    Object.assign(this, createClient(options, systemClock))
  }
} as new (
  options?: ClientOptions,
) => MessagingClient
