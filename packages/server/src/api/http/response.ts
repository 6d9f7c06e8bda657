import { randomUUID } from 'node:crypto'
import { declaresSuccess, type ErrorCode, errors, listErrors, type Route } from '@msgctl/contract'
import type Koa from 'koa'
import * as z from 'zod'
import type { ApiError } from '#platform/errors.ts'
import { parseBulkBody } from './body/entries.ts'
import type { RequestState } from './state.ts'

/** Thrown in tests, and logged in production, when a handler does not keep the promise of its route. */
export class ContractViolation extends Error {}

/** The rules of one route's responses, computed once when it is mounted. */
export interface ResponseRules {
  readonly route: Route
  /** Whether the route promises `success: true`; that belongs to the route, not to a prefix of its path. */
  readonly success: boolean
  readonly errors: ReadonlySet<ErrorCode>
}

/** Returns the rules of a route's responses. */
export function responseRules(route: Route): ResponseRules {
  return { route, success: declaresSuccess(route.response), errors: new Set<ErrorCode>(listErrors(route)) }
}

/** Returns the body of a response from what the handler returned. */
export function toBody({ success }: ResponseRules, result: unknown): unknown {
  return success ? { success: true, ...(result as object) } : result
}

/**
 * Validates a body against the route's promise and returns it without fields that are not promised. Throws
 * {@link ContractViolation} that names the faulty fields and never their values.
 */
export function validateResponse({ route }: ResponseRules, body: unknown): unknown {
  const checked = route.response.safeParse(body)
  if (checked.success) return checked.data
  throw new ContractViolation(`${route.endpoint} answered what it does not promise (${invalidFields(checked.error)})`)
}

/**
 * Throws {@link ContractViolation} when the route may not respond with this code, or its details are not those of the
 * catalogue.
 */
export function requireDeclaredError(rules: ResponseRules, { code, details }: ApiError): void {
  const { endpoint } = rules.route
  if (!rules.errors.has(code)) throw new ContractViolation(`${endpoint} does not promise the error ${code}`)
  const schema: z.ZodType = errors[code].details ?? z.undefined()
  const checked = schema.optional().safeParse(details)
  if (!checked.success) {
    throw new ContractViolation(`${endpoint} answered ${code} with other details (${invalidFields(checked.error)})`)
  }
}

/** Does the same for a body with long lists, a few entries at a time. Resolves to what returns the body, or throws. */
export async function validateLongResponse({ route }: ResponseRules, body: unknown): Promise<() => unknown> {
  const { data, issues } = await parseBulkBody(route.response as z.ZodObject, body)
  return () => {
    if (issues.length === 0) return data
    const faults = issues.slice(0, 10).map(({ field, code }) => `${field}: ${code}`)
    throw new ContractViolation(`${route.endpoint} answered what it does not promise (${faults.join(', ')})`)
  }
}

function invalidFields(error: z.ZodError): string {
  return error.issues
    .slice(0, 10)
    .map(({ path, code }) => `${path.map(String).join('.') || 'the whole'}: ${code}`)
    .join(', ')
}

const header = 'X-Request-Id'
const inboundForm = /^[\w.-]{1,64}$/

/**
 * Gives every request an id of our own and puts it on the answer before anything can go wrong (specification,
 * "Conventions"). An id the caller sent is only remembered for the log, and only when it is short and plain.
 */
export const requestId: Koa.Middleware<RequestState> = (ctx, next) => {
  ctx.state.requestId = randomUUID()
  ctx.set(header, ctx.state.requestId)
  const inbound = ctx.get(header)
  if (inboundForm.test(inbound)) ctx.state.inboundId = inbound
  return next()
}
