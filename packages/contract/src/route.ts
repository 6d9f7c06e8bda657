import * as z from 'zod'
import type { Access } from './access.ts'
import type { ErrorCode } from './errors/errors.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
/** `METHOD /path`, the path with `:name` parameters. */
export type Endpoint = `${Method} /${string}`

type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

/** A path with parameters requires a schema for exactly those names; a path without them takes none. */
type ParamsFor<E extends Endpoint> = [ParamNames<E>] extends [never]
  ? { readonly params?: never }
  : { readonly params: z.ZodObject<Record<ParamNames<E>, z.ZodType>> }

/** What a route shows in the reference. Tests send it too. */
interface RouteExample {
  /** The input in one flat object, as the client takes it; only of a route that takes any. */
  readonly input?: Readonly<Record<string, unknown>>
  /** The response without its `success`. Empty where there is nothing to show. */
  readonly output: Readonly<Record<string, unknown>>
}

/** The definition of a route without its path. `access.ts` maps its feature to products. */
export interface RouteDefinition {
  /** One line for the API reference. */
  readonly summary: string
  readonly access: Access
  readonly query?: z.ZodObject
  readonly body?: z.ZodObject
  readonly status: 200 | 201 | 202
  readonly response: z.ZodType
  /** The codes specific to this route; {@link listErrors} adds those that follow from its access and input. */
  readonly errors: readonly ErrorCode[]
  /** `queued`: the queue sends it later. `direct`: the service calls the network before it responds. */
  readonly sends?: 'queued' | 'direct'
  /** Accepts bodies up to 16 MiB instead of 1 MiB. */
  readonly bulk?: true
  /** The response has lists that may be long: they are validated and written a few entries at a time. */
  readonly longLists?: true
  /** The response holds a secret, a QR or a pairing code, and is never cached. */
  readonly secret?: true
  /** It changes nothing, so the call can always be repeated. It is no GET, as its input is too long for a query. */
  readonly reads?: true
  /** It takes an Idempotency-Key header: it sends or creates, and its response holds no secret. */
  readonly idempotent?: true
  /** It responds with server-sent events; `response` describes one of them. */
  readonly stream?: true
  /**
   * The file in the field `content` of the body, in base64, can also be sent as bytes: alone, or as
   * multipart/form-data. The handler receives the bytes.
   */
  readonly upload?: true
  /** It responds with the bytes of a file; `response` describes what the client returns. */
  readonly download?: true
  /**
   * The handler receives the bytes of the body as they came, up to 1 MiB: it checks their signature. No client sends
   * it.
   */
  readonly raw?: true
  /** How long the service can take, in milliseconds, where that is longer than usual. */
  readonly timeoutMs?: number
  readonly example: RouteExample
  /** The call as a line of msgctl, where msgctl has a command for it. */
  readonly msgctl?: string
}

export type Route<E extends Endpoint = Endpoint, P extends RouteDefinition = RouteDefinition> = P & {
  readonly endpoint: E
  readonly params?: z.ZodObject
}

/** A definition as it is written. */
interface WrittenRoute extends Omit<RouteDefinition, 'status' | 'errors'> {
  /** Default: 200. */
  readonly status?: 201 | 202
  /** Default: none. */
  readonly errors?: readonly ErrorCode[]
}

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T
/** `Wanted`, without further fields of `Given`. */
type Exactly<Wanted, Given> = Wanted & { readonly [K in Exclude<keyof Given, keyof Wanted>]: never }

/** The example that fits the schemas of `P`. */
type ExampleOf<P extends WrittenRoute> = {
  readonly output: DeepReadonly<WithoutSuccess<z.output<P['response']>>>
} & ([keyof Input<P>] extends [never]
  ? { readonly input?: undefined }
  : { readonly input: Exactly<DeepReadonly<Input<P>>, P['example']['input']> })

/** A declared route. The text of its example and its sample is no part of its type. */
type Declared<E extends Endpoint, P extends WrittenRoute> = { readonly endpoint: E } & {
  readonly [K in keyof P as Exclude<K, 'example' | 'msgctl' | 'status' | 'errors'>]: P[K]
} & Pick<RouteDefinition, 'example' | 'msgctl' | 'status'> & {
    readonly errors: P extends { readonly errors: infer Codes } ? Codes : readonly []
  }

/**
 * Declares a route. It does not compile unless the names in `params` match the parameters in the path, and the example
 * fits the schemas.
 */
export function route<const E extends Endpoint, const P extends WrittenRoute & ParamsFor<E>>(
  endpoint: E,
  definition: P & { readonly example: ExampleOf<P> },
): Declared<E, P> {
  const { status = 200, errors = [] } = definition
  return { ...definition, status, errors, endpoint } as unknown as Declared<E, P>
}

type Simplify<T> = { [K in keyof T]: T[K] } & {}
type InputOf<S> = S extends z.ZodType ? z.input<S> : unknown
type ParsedOf<S> = S extends z.ZodType ? z.output<S> : Record<never, never>
type Part<R, K extends string> = R extends { readonly [P in K]: infer S } ? S : undefined

/** The input of a call: path parameters, query and body in one flat object. */
export type Input<R> = Simplify<InputOf<Part<R, 'params'>> & InputOf<Part<R, 'query'>> & InputOf<Part<R, 'body'>>>

/** The response of a call. */
export type Output<R extends { readonly response: z.ZodType }> = z.output<R['response']>

/** The parsed input of a handler. */
export interface Parsed<R> {
  readonly params: ParsedOf<Part<R, 'params'>>
  readonly query: ParsedOf<Part<R, 'query'>>
  readonly body: ParsedOf<Part<R, 'body'>>
}

/** The result of a handler: the response without `success`, which the server adds where the route declares it. */
export type Result<R extends { readonly response: z.ZodType }> = WithoutSuccess<z.input<R['response']>>

/** Of a union, each member without its `success`. */
type WithoutSuccess<T> = T extends { success: true } ? Simplify<Omit<T, 'success'>> : T

function gateErrors({ access, endpoint }: Route): ErrorCode[] {
  if (access.keys === 'public') return []
  const codes: ErrorCode[] = ['AUTH_ERROR', 'OAUTH_TOKEN_SCOPE', 'ORGANIZATION_MOVED', 'ACCOUNT_DEACTIVATED']
  if (!access.withoutTwoFactor) codes.push('TWO_FACTOR_REQUIRED')
  if (access.keys !== 'any') codes.push('NUMBER_KEY_SCOPE')
  if (access.keys === 'none') codes.push('USER_REQUIRED')
  if (access.platform) codes.push('ADMIN_ONLY')
  if (access.roles) codes.push('ROLE_FORBIDDEN')
  if (access.owner) codes.push('NOT_OWNER')
  if (access.feature) codes.push('NO_ACTIVE_PRODUCT', 'PRODUCT_REQUIRED')
  if (!endpoint.startsWith('GET ')) codes.push('RATE_LIMITED')
  return codes
}

function inputErrors({ params, query, body, idempotent }: Route): ErrorCode[] {
  const codes: ErrorCode[] = []
  const names = Object.values(params?.shape ?? {})
  if (body) codes.push('PAYLOAD_TOO_LARGE', 'INVALID_JSON')
  if (names.some((name) => name instanceof z.ZodUUID)) codes.push('INVALID_ID')
  if (body || query || idempotent || names.some((name) => !(name instanceof z.ZodUUID))) codes.push('VALIDATION_ERROR')
  if (idempotent) codes.push('CONFLICT')
  if ('containerId' in { ...query?.shape, ...body?.shape }) codes.push('NOT_FOUND')
  return codes
}

/**
 * Returns every code that a route can return, each once, in the order of the checks: access, input, the route's own
 * codes, then those of every route.
 */
export function listErrors(route: Route): ErrorCode[] {
  const codes = [...gateErrors(route), ...inputErrors(route), ...route.errors]
  return [...new Set<ErrorCode>([...codes, 'SERVICE_BUSY', 'INTERNAL_ERROR'])]
}

/** Splits an endpoint into method and path. */
export function splitEndpoint(endpoint: Endpoint): { method: Method; path: string } {
  const space = endpoint.indexOf(' ')
  return { method: endpoint.slice(0, space) as Method, path: endpoint.slice(space + 1) }
}
