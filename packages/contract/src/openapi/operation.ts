import type { ResponseConfig, RouteConfig } from '@asteasolutions/zod-to-openapi'
import { limits } from '../model/limits.ts'
import { listErrors, type Route, splitEndpoint } from '../route.ts'
import { errorResponseComponents, errorResponses } from './errors.ts'
import { findBodyExample } from './examples.ts'
import { countsAsChange, describeRoute } from './words.ts'

const text = { type: 'string' } as const

/** The headers that responses share, by name. */
const headers = {
  'X-Request-Id': {
    description: 'The id of the request. Every response has one.',
    schema: { type: 'string', format: 'uuid' },
  },
  'Retry-After': { description: 'Whole seconds to wait, when the wait is known.', schema: { type: 'integer' } },
  'RateLimit-Policy': { description: 'The limit of changes of the organization.', schema: text },
  RateLimit: { description: 'The remaining changes of that limit, and the seconds until it resets.', schema: text },
  'Idempotency-Key': { description: 'The Idempotency-Key of the request, when it had one.', schema: text },
  'Idempotency-Replayed': {
    description: 'Present when this is the stored response to an earlier request with the same key.',
    schema: { type: 'string', const: 'true' },
  },
} as const

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes the call safe to repeat for 24 hours: the same key and body return the stored response, another body CONFLICT.',
  schema: { type: 'string', minLength: 1, maxLength: limits.idempotencyKey, pattern: '^[A-Za-z0-9._:-]+$' },
} as const

const securitySchemes = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'An account key (msk_ and 64 hex characters) or the key of one number (msn_ and 64 hex characters).',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'The token of a signed-in user, from POST /auth/sign-in.' },
} as const

/** The components that operations refer to, in addition to the schemas. */
export const components = [
  ...Object.entries(headers).map(([name, header]) => ['headers', name, header] as const),
  ...Object.entries(errorResponseComponents).map(([name, response]) => ['responses', name, response] as const),
  ['parameters', 'Idempotency-Key', idempotencyKey] as const,
  ...Object.entries(securitySchemes).map(([name, scheme]) => ['securitySchemes', name, scheme] as const),
]

function securityRequirements({ access }: Route): Record<string, string[]>[] {
  if (access.keys === 'public') return []
  return access.keys === 'none' ? [{ bearer: [] }] : [{ apiKey: [] }, { bearer: [] }]
}

function successResponse(route: Route): ResponseConfig {
  const names: (keyof typeof headers)[] = ['X-Request-Id']
  if (countsAsChange(route)) names.push('RateLimit-Policy', 'RateLimit')
  if (route.idempotent) names.push('Idempotency-Key', 'Idempotency-Replayed')
  const mediaType = route.stream ? 'text/event-stream' : 'application/json'
  return {
    description: route.status === 202 ? 'Accepted.' : route.status === 201 ? 'Created.' : 'Done.',
    headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    content: { [mediaType]: { schema: route.response } },
  }
}

function requestConfig({ params, query, body }: Route, example: unknown): NonNullable<RouteConfig['request']> {
  const content = body && { 'application/json': { schema: body, ...(example !== undefined && { example }) } }
  return {
    ...(params && { params }),
    ...(query && { query }),
    // The body is optional when every field is.
    ...(content && { body: { required: !body.safeParse({}).success, content } }),
  }
}

/** Returns a route as an operation. Its id looks like `alert.send`; its tag is the resource. */
export function toOperation(resource: string, name: string, route: Route): RouteConfig {
  const { method, path } = splitEndpoint(route.endpoint)
  return {
    method: method.toLowerCase() as Lowercase<typeof method>,
    path: path.replace(/:(\w+)/g, '{$1}'),
    operationId: `${resource}.${name}`,
    summary: route.summary,
    description: describeRoute(route),
    tags: [resource],
    security: securityRequirements(route),
    ...(route.idempotent && { parameters: [{ $ref: '#/components/parameters/Idempotency-Key' }] }),
    request: requestConfig(route, findBodyExample(resource, name)),
    responses: { [route.status]: successResponse(route), ...errorResponses(listErrors(route)) },
  }
}
