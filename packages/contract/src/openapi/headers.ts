import { limits } from '../model/limits.ts'
import type { Route } from '../route.ts'

const text = { type: 'string' } as const

/** The headers that responses share, by name. */
export const headers = {
  'X-Request-Id': {
    description: 'The id of the request. Every response has one.',
    schema: { type: 'string', format: 'uuid' },
  },
  'Retry-After': { description: 'Whole seconds to wait, when the wait is known.', schema: { type: 'integer' } },
  'RateLimit-Policy': {
    description: 'The limit of changes of the organization, on every response to a change.',
    schema: text,
  },
  'X-Ignored-Fields': {
    description:
      'The names in the query, and at the top level of the body, that this route does not have: at most 20. They ' +
      'have no effect. Names deeper in the body are not checked.',
    schema: text,
  },
  RateLimit: {
    description: 'The remaining changes of that limit, and the seconds until it resets.',
    schema: text,
  },
  'Idempotency-Key': { description: 'The Idempotency-Key of the request, when it had one.', schema: text },
  'Idempotency-Replayed': {
    description: 'Present when this is the stored response to an earlier request with the same key.',
    schema: { type: 'string', const: 'true' },
  },
} as const
export type HeaderName = keyof typeof headers

/** Returns references to the headers with these names. */
export function headerReferences(...names: readonly HeaderName[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

export const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes the call safe to repeat for 24 hours: the same key and body return the stored response, another ' +
    'body CONFLICT.',
  schema: { type: 'string', minLength: 1, maxLength: limits.idempotencyKey, pattern: '^[A-Za-z0-9._:-]+$' },
} as const

/** The credentials of the service. Both kinds of keys are sent in the same header, and reach different routes. */
export const securitySchemes = {
  accountKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'The key of an organization: msk_ and 64 hex characters. It acts as an admin.',
  },
  numberKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'The key of one number: msn_ and 64 hex characters. It acts through its own number only.',
  },
  sessionToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'The token of a signed-in user, from POST /auth/sign-in.',
  },
} as const

const schemesOf = {
  any: ['accountKey', 'numberKey', 'sessionToken'],
  account: ['accountKey', 'sessionToken'],
  none: ['sessionToken'],
  public: [],
} as const satisfies Record<Route['access']['keys'], readonly (keyof typeof securitySchemes)[]>

/** Returns the credentials that a route accepts, one of which is enough. */
export function securityRequirements({ access }: Route): Record<string, string[]>[] {
  return schemesOf[access.keys].map((scheme) => ({ [scheme]: [] }))
}
