import { endpoints } from '@msgctl/contract/endpoints'
import { endpointTraits } from '@msgctl/contract/traits'
import type { FlatInput } from './address.ts'
import type { Success } from './attempt.ts'
import { call } from './call.ts'
import { type Clock, systemClock } from './clock.ts'
import { invalidInput, isMessagingError } from './error.ts'
import { type Page, paginate } from './paginate.ts'
import { type CallOptions, type Core, requireNoOptions, type SendOptions } from './prepare.ts'
import type { Resources } from './resources.ts'
import { type ClientOptions, settingsFrom } from './settings.ts'
import { followStream, type StreamOptions } from './stream.ts'
import type { WithResponse } from './types.ts'

/** The client: the resources of messages, numbers and events, and {@link RawRequest} for any other path. */
export type MessagingClient = Resources & { readonly request: RawRequest }

/**
 * Calls any path below the base URL, with the same keys, timeouts and retries:
 * `request('GET', '/messages', { limit: 1 })`. The input is the query of a GET, and otherwise the JSON body. An
 * Idempotency-Key is sent where the path is known to take one, or when you pass one.
 */
export type RawRequest = (
  method: string,
  path: string,
  input?: FlatInput,
  options?: SendOptions,
) => Promise<WithResponse<unknown>>

/** The name of the cursor parameter, for the route that does not call it `cursor`. */
const cursorParameters: Readonly<Record<string, string>> = { 'GET /events': 'after' }

function withResponse({ data, response, requestId }: Success): WithResponse<unknown> {
  return { data, response: { status: response.status, headers: response.headers }, requestId }
}

/** Returns an endpoint as a function. The types decide which of its properties a caller sees. */
function bind(core: Core, endpoint: string) {
  if (endpointTraits(endpoint).stream) {
    return (input: FlatInput = {}, options: StreamOptions = {}) => {
      requireNoOptions(endpoint, input)
      return followStream(core, endpoint, input, options)
    }
  }
  const run = (input: FlatInput, options: SendOptions) => {
    requireNoOptions(endpoint, input)
    return call(core, endpoint, input, options)
  }
  const plain = async (input: FlatInput = {}, options: SendOptions = {}) => (await run(input, options)).data
  return Object.assign(plain, {
    withResponse: async (input: FlatInput = {}, options: SendOptions = {}) => withResponse(await run(input, options)),
    isError: (error: unknown) => isMessagingError(error) && error.endpoint === endpoint,
    all: (input: FlatInput = {}, options: CallOptions = {}) =>
      paginate(async (page) => (await run(page, options)).data as Page, input, cursorParameters[endpoint] ?? 'cursor'),
  })
}

function bindAll(core: Core, table: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(table).map(([name, endpoint]) => [name, bind(core, endpoint)]))
}

/** A table of endpoints: resource, name, then `METHOD /path`. */
export type EndpointTable = Readonly<Record<string, Readonly<Record<string, string>>>>

/** Creates a client on the given clock. Throws a TypeError that names the invalid option. */
export function createClient(options: ClientOptions, clock: Clock): MessagingClient {
  const client = bindTable(options, clock, endpoints, 'MessagingClient') as unknown as MessagingClient
  Object.assign(client.chats, { reply: client.alert.send })
  return client
}

/**
 * Creates a client for the endpoints of a table; `name` is how it is printed. Throws a TypeError that names the invalid
 * option.
 */
export function bindTable(
  options: ClientOptions,
  clock: Clock,
  table: EndpointTable,
  name: string,
): Readonly<Record<string, unknown>> & { readonly request: RawRequest } {
  const core: Core = { settings: settingsFrom(options), clock, honoursKeys: false }
  const request: RawRequest = async (method, path, input = {}, callOptions = {}) => {
    const verb = method.toUpperCase()
    if (!/^(GET|POST|PUT|PATCH|DELETE)$/.test(verb))
      throw invalidInput('method must be GET, POST, PUT, PATCH or DELETE.')
    if (!path.startsWith('/')) throw invalidInput('path must begin with a slash; it is relative to baseUrl.')
    return withResponse(await call(core, `${verb} ${path}`, input, callOptions))
  }
  const resources = Object.entries(table).map(([resource, named]) => [resource, bindAll(core, named)])
  const line = `${name} { ${core.settings.baseUrl} }`
  // Printed in Node.js as one line instead of every call.
  return Object.defineProperty({ ...Object.fromEntries(resources), request }, printed, { value: () => line })
}

const printed = Symbol.for('nodejs.util.inspect.custom')

/**
 * Creates a client: `new MessagingClient({ apiKey, baseUrl })`. Throws a TypeError that names the invalid option. The
 * client holds the key in closures only, so inspecting or serializing it cannot reveal the key.
 */
export const MessagingClient = class {
  constructor(options: ClientOptions = {}) {
    Object.defineProperties(this, Object.getOwnPropertyDescriptors(createClient(options, systemClock)))
  }
} as new (
  options?: ClientOptions,
) => MessagingClient
