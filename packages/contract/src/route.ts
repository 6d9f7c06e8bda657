import * as z from 'zod'
import type { Access, Feature, KeyKinds } from './access.ts'
import type { Details, ErrorCode } from './errors/errors.ts'
import { type TraitsOf, traits } from './traits.ts'

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
}

export type Route<E extends Endpoint = Endpoint, P extends RouteDefinition = RouteDefinition> = P & {
  readonly endpoint: E
  readonly params?: z.ZodObject
  /** The route takes an Idempotency-Key header (from `traits.ts`). */
  readonly idempotent?: true
  /** The route responds with server-sent events; `response` describes one of them (from `traits.ts`). */
  readonly stream?: true
  /**
   * The file in the field `content` of the body, in base64, can also be sent as bytes: alone, or as
   * multipart/form-data. The handler receives the bytes (from `traits.ts`).
   */
  readonly upload?: true
  /** The route responds with the bytes of a file; `response` describes what the client returns (from `traits.ts`). */
  readonly download?: true
}

/**
 * Declares a route and adds its traits. It does not compile unless the names in `params` match the parameters in the
 * path.
 */
export function route<const E extends Endpoint, const P extends RouteDefinition & ParamsFor<E>>(
  endpoint: E,
  definition: P,
): { readonly endpoint: E } & P & TraitsOf<E> {
  const listed: Partial<Record<Endpoint, object>> = traits
  return { ...definition, ...(listed[endpoint] as TraitsOf<E>), endpoint }
}

/** A resource with a route for each of its endpoints, at the same name and path. */
export type Covers<R extends Record<string, Endpoint>> = { readonly [K in keyof R]: { readonly endpoint: R[K] } }

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

type KeysOf<R> = R extends { readonly access: { readonly keys: infer K extends KeyKinds } } ? K : never
type ShapeOf<S> = S extends z.ZodObject<infer Shape> ? Shape : Record<never, never>
type ParamOf<R> = ShapeOf<Part<R, 'params'>>[keyof ShapeOf<Part<R, 'params'>>]
type FieldOf<R> = keyof ShapeOf<Part<R, 'query'>> | keyof ShapeOf<Part<R, 'body'>>
/** Resolves to `C` unless the type `T` is never. */
type WithAny<T, C extends ErrorCode> = [T] extends [never] ? never : C

type GateErrors<R> =
  | WithAny<
      Exclude<KeysOf<R>, 'public'>,
      'AUTH_ERROR' | 'OAUTH_TOKEN_SCOPE' | 'ORGANIZATION_MOVED' | 'ACCOUNT_DEACTIVATED'
    >
  | WithAny<Extract<KeysOf<R>, 'account' | 'none'>, 'NUMBER_KEY_SCOPE'>
  | WithAny<Extract<KeysOf<R>, 'none'>, 'USER_REQUIRED'>
  | (R extends { readonly access: { readonly withoutTwoFactor: true } }
      ? never
      : WithAny<Exclude<KeysOf<R>, 'public'>, 'TWO_FACTOR_REQUIRED'>)
  | (R extends { readonly access: { readonly owner: true } } ? 'NOT_OWNER' : never)
  | (R extends { readonly access: { readonly roles: readonly string[] } } ? 'ROLE_FORBIDDEN' : never)
  | (R extends { readonly access: { readonly feature: Feature } } ? 'NO_ACTIVE_PRODUCT' | 'PRODUCT_REQUIRED' : never)
  | (R extends { readonly endpoint: `GET ${string}` } ? never : WithAny<Exclude<KeysOf<R>, 'public'>, 'RATE_LIMITED'>)

type InputErrors<R> =
  | (R extends { readonly body: z.ZodType } ? 'PAYLOAD_TOO_LARGE' | 'INVALID_JSON' | 'VALIDATION_ERROR' : never)
  | (R extends { readonly query: z.ZodType } ? 'VALIDATION_ERROR' : never)
  | (R extends { readonly idempotent: true } ? 'VALIDATION_ERROR' | 'CONFLICT' : never)
  | WithAny<Extract<ParamOf<R>, z.ZodUUID>, 'INVALID_ID'>
  | WithAny<Exclude<ParamOf<R>, z.ZodUUID>, 'VALIDATION_ERROR'>
  | WithAny<Extract<FieldOf<R>, 'containerId'>, 'NOT_FOUND'>

/** Every code that a route can return, as a type; {@link listErrors} is the same list at run time. */
export type ErrorsOf<R extends Route> =
  | R['errors'][number]
  | GateErrors<R>
  | InputErrors<R>
  | 'SERVICE_BUSY'
  | 'INTERNAL_ERROR'

function gateErrors({ access, endpoint }: Route): ErrorCode[] {
  if (access.keys === 'public') return []
  const codes: ErrorCode[] = ['AUTH_ERROR', 'OAUTH_TOKEN_SCOPE', 'ORGANIZATION_MOVED', 'ACCOUNT_DEACTIVATED']
  if (!access.withoutTwoFactor) codes.push('TWO_FACTOR_REQUIRED')
  if (access.keys !== 'any') codes.push('NUMBER_KEY_SCOPE')
  if (access.keys === 'none') codes.push('USER_REQUIRED')
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
export function listErrors<const R extends Route>(route: R): ErrorsOf<R>[] {
  const codes = [...gateErrors(route), ...inputErrors(route), ...route.errors, 'SERVICE_BUSY', 'INTERNAL_ERROR']
  return [...new Set(codes)] as ErrorsOf<R>[]
}

/** An error of a route. Narrow it by its code to get the type of its details. */
export type Failure<R extends Route> = {
  [C in ErrorsOf<R>]: { readonly code: C; readonly details: Details<C> }
}[ErrorsOf<R>]

/** Splits an endpoint into method and path. */
export function splitEndpoint(endpoint: Endpoint): { method: Method; path: string } {
  const space = endpoint.indexOf(' ')
  return { method: endpoint.slice(0, space) as Method, path: endpoint.slice(space + 1) }
}
