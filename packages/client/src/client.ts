import { endpoints } from '@msgctl/contract/endpoints'
import { endpointTraits } from '@msgctl/contract/traits'
import type { FlatInput } from './address.ts'
import type { Success } from './attempt.ts'
import { call } from './call.ts'
import { waitWith } from './calls/wait.ts'
import { type Clock, systemClock } from './clock.ts'
import { invalidInput, isMessagingError, MessagingError } from './error.ts'
import { fieldNames } from './generated/field-names.ts'
import { type Page, paginate, withToArray } from './paginate.ts'
import { type CallOptions, type Core, requireFields, type SendOptions } from './prepare.ts'
import type { Resources } from './resources.ts'
import { unreadableError } from './response.ts'
import { type ClientOptions, settingsFrom } from './settings.ts'
import { followStream, type StreamOptions } from './stream.ts'
import type { WithResponse } from './types.ts'

/** The client: the resources of messages, numbers and events, and {@link RawRequest} for any other path. */
export type MessagingClient = Resources & {
  readonly request: RawRequest
  /** Returns a client with these options instead of those of this one; the others stay. */
  withOptions(options: ClientOptions): MessagingClient
}

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
function bind(core: Core, endpoint: string, fields: string) {
  const traits = endpointTraits(endpoint)
  const check = (input: FlatInput) => requireFields(endpoint, fields, input)
  if (traits.stream) {
    return (input: FlatInput = {}, options: StreamOptions = {}) => followStream(core, endpoint, check(input), options)
  }
  const run = async (input: FlatInput, options: SendOptions) => {
    const success = await call(core, endpoint, check(input), options)
    if (success.data !== undefined) return success
    const outcome = traits.reads ? undefined : 'unknown'
    throw new MessagingError({ ...unreadableError(success.response, 'it has no body'), outcome, endpoint })
  }
  const plain = async (input: FlatInput = {}, options: SendOptions = {}) => (await run(input, options)).data
  return Object.assign(plain, {
    withResponse: async (input: FlatInput = {}, options: SendOptions = {}) => withResponse(await run(input, options)),
    isError: (error: unknown) => isMessagingError(error) && error.endpoint === endpoint,
    all: (input: FlatInput = {}, options: CallOptions = {}) =>
      withToArray(
        paginate(
          async (page) => (await run(page, options)).data as Page,
          input,
          cursorParameters[endpoint] ?? 'cursor',
        ),
      ),
  })
}

function bindAll(core: Core, table: Readonly<Record<string, string>>, fields: Readonly<Record<string, string>> = {}) {
  return Object.fromEntries(
    Object.entries(table).map(([name, endpoint]) => [name, bind(core, endpoint, fields[name] ?? '')]),
  )
}

/** A table of endpoints: resource, name, then `METHOD /path`. */
type EndpointTable = Readonly<Record<string, Readonly<Record<string, string>>>>

/** The calls of a client: their endpoints, and the names of their fields with a blank between them. */
export interface BoundTable {
  readonly endpoints: EndpointTable
  readonly fields: EndpointTable
  /** How the client is printed. */
  readonly name: string
}

/** Creates a client on the given clock. Throws a TypeError that names the invalid option. */
export function createClient(options: ClientOptions, clock: Clock): MessagingClient {
  const table = { endpoints, fields: fieldNames, name: 'MessagingClient' }
  const client = bindTable(options, clock, table) as unknown as MessagingClient
  Object.assign(client.chats, { reply: client.alert.send })
  Object.assign(client.messages, { send: client.alert.send, wait: waitWith(client.alert.message, clock) })
  return Object.defineProperty(client, 'withOptions', {
    value: (changed: ClientOptions) => createClient({ ...options, ...changed }, clock),
  })
}

/** Creates a client for the endpoints of a table. Throws a TypeError that names the invalid option. */
export function bindTable(
  options: ClientOptions,
  clock: Clock,
  { endpoints: table, fields, name }: BoundTable,
): Readonly<Record<string, unknown>> & { readonly request: RawRequest } {
  const core: Core = { settings: settingsFrom(options), clock, honoursKeys: false }
  const request: RawRequest = async (method, path, input = {}, callOptions = {}) => {
    const verb = method.toUpperCase()
    const endpoint = `${verb} ${path}`
    if (!/^(GET|POST|PUT|PATCH|DELETE) \//.test(endpoint))
      throw invalidInput('request takes GET, POST, PUT, PATCH or DELETE, and a path that begins with a slash.')
    return withResponse(await call(core, endpoint, input, callOptions))
  }
  const resources = Object.entries(table).map(([resource, named]) => [resource, bindAll(core, named, fields[resource])])
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
