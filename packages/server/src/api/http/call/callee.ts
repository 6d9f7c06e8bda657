import type { Route } from '@msgctl/contract'
import type { Identity } from '#api/access/authenticate.ts'
import { authorize } from '#api/access/authorize.ts'
import { limitChanges } from '#api/access/rate-limit.ts'
import { ClientDisconnected } from '#api/http/body.ts'
import type { Caller } from '#api/http/handler.ts'
import { toApiError } from '#api/http/map-error.ts'
import type { ParsedInput } from '#api/http/parse.ts'
import {
  ContractViolation,
  type ResponseRules,
  requireDeclaredError,
  responseRules,
  toBody,
  validateLongResponse,
  validateResponse,
} from '#api/http/response.ts'
import { openKey, Replay } from '#api/idempotency/idempotency.ts'
import { withPoolQuota } from '#platform/db/pool-quota.ts'
import type { Services } from '#services.ts'
import { Call, type Source } from './call.ts'

/** A handler whose route is known only at run time. */
export type ErasedHandler = (request: never, services: Services) => Promise<unknown>

/** A route with its handler, ready to be called. */
export interface Callee {
  readonly rules: ResponseRules
  readonly handler: ErasedHandler
  readonly services: Services
  /** Throws where a handler breaks the contract; otherwise that is only logged. */
  readonly strict: boolean
}

/** Joins a route and its handler. */
export function calleeOf(
  route: Route,
  handler: ErasedHandler,
  { services, strict }: Pick<Callee, 'services' | 'strict'>,
): Callee {
  return { rules: responseRules(route), handler, services, strict }
}

/**
 * Checks what is checked before the input: the gate of the route, and the limit of changes where the call counts as
 * one. `setHeaders` receives the standing of that limit.
 */
export async function admitCaller(
  { rules: { route }, services }: Callee,
  identity: Identity,
  counts: boolean,
  setHeaders: (headers: Record<string, string>) => void,
): Promise<void> {
  authorize(route.access, identity)
  if (!counts || !services.config.changeLimit) return
  await limitChanges(services.db, identity.caller.organizationId, setHeaders)
}

/** Makes the call of a caller whose input was parsed. */
export async function openCall(
  callee: Callee,
  source: Source,
  { key, caller, input }: { readonly key: string | null; readonly caller: Caller | null; readonly input: ParsedInput },
): Promise<Call> {
  const { rules, services } = callee
  const toBody = (result: unknown) => bodyOf(callee, result)
  return new Call(source, caller, input, await openKey(services.db, { key, caller, route: rules.route, input, toBody }))
}

/**
 * Runs the handler, reads within the organization's share of the connections. Returns what it returned. A repeat with
 * the same key gets the first answer also where the handler would refuse it by now.
 */
export async function runHandler({ rules: { route }, handler, services }: Callee, call: Call): Promise<unknown> {
  const { caller } = call
  const handle = () => handler(call as never, services)
  try {
    return await (isBoundedRead(route) && caller ? readWithQuota(services.db, caller, call.signal, handle) : handle())
  } catch (thrown) {
    if (!(thrown instanceof Replay)) await call.idempotency.replay()
    throw thrown
  }
}

/** Streams and files take long and query the database rarely; they have limits of their own. */
function isBoundedRead(route: Route): boolean {
  return route.endpoint.startsWith('GET ') && !route.stream && !route.download
}

/**
 * Runs a read within the organization's share of the connections: reads are free, and without a bound forty slow ones
 * keep every other organization waiting. They do not share the quota of changes. Throws ClientDisconnected when the
 * caller left first.
 */
function readWithQuota<T>(db: Services['db'], caller: Caller, signal: AbortSignal, read: () => Promise<T>): Promise<T> {
  return withPoolQuota(db, `reads of ${caller.organizationId}`, async () => {
    if (signal.aborted) throw new ClientDisconnected('the caller left before its read began')
    return read()
  })
}

/** Returns the body of a response, validated against the contract. */
export function bodyOf(callee: Callee, result: unknown): unknown {
  const whole = toBody(callee.rules, result)
  return hold(callee, () => validateResponse(callee.rules, whole), whole)
}

/** Returns the same for a route whose lists may be long; other requests run in between. */
export async function longBodyOf(callee: Callee, result: unknown): Promise<unknown> {
  const whole = toBody(callee.rules, result)
  return hold(callee, await validateLongResponse(callee.rules, whole), whole)
}

/** Checks that a handler used the key that it was given. */
export function requireUsedKey(callee: Callee, { idempotency: { key, used } }: Call): void {
  if (key === null || used) return
  const { endpoint } = callee.rules.route
  const breach = new ContractViolation(`${endpoint} took an Idempotency-Key and did not use its transaction`)
  hold(
    callee,
    () => {
      throw breach
    },
    undefined,
  )
}

/** Returns the error to respond with for something thrown, checked against the errors that the route promises. */
export function refusalOf(
  callee: Callee,
  thrown: unknown,
  { requestId, harmless }: { readonly requestId: string; readonly harmless: boolean },
): Error {
  if (thrown instanceof ClientDisconnected || thrown instanceof ContractViolation) return thrown
  const { endpoint } = callee.rules.route
  const error = toApiError(thrown, { log: callee.services.log, requestId, endpoint, harmless })
  return hold(
    callee,
    () => {
      requireDeclaredError(callee.rules, error)
      return error
    },
    error,
  )
}

/**
 * Returns the input without a containerId. A number's key always uses its own number (specification, "Conventions").
 */
export function withoutContainerId(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input
  const { containerId: _ignored, ...others } = input as Record<string, unknown>
  return others
}

/**
 * Runs a check of the contract. A violation throws when `strict`; in production it is logged and `otherwise` is
 * returned.
 */
function hold<T>({ strict, services }: Pick<Callee, 'strict' | 'services'>, check: () => T, otherwise: T): T {
  try {
    return check()
  } catch (thrown) {
    if (strict || !(thrown instanceof ContractViolation)) throw thrown
    services.log.error({ event: 'contract_violated', err: thrown }, 'handler violated the contract')
    return otherwise
  }
}
