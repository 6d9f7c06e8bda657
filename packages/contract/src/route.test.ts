import { describe, expect, expectTypeOf, it } from 'vitest'
import * as z from 'zod'
import type { ErrorCode } from './errors/error-table.ts'
import { type Input, listErrors, type Route, route, splitEndpoint } from './route.ts'

const response = z.object({ done: z.boolean() })
const output = { done: true }
const containerId = z.uuid().optional()

const open = route('POST /open', {
  summary: 'A public form',
  access: { keys: 'public' },
  body: z.object({ name: z.string() }),
  status: 201,
  response,
  errors: ['SIGNUP_DISABLED'],
  example: { input: { name: 'Jane' }, output },
})
const list = route('GET /things', {
  summary: 'A gated list',
  access: { keys: 'account', feature: 'inbox' },
  query: z.object({ containerId, page: z.coerce.number<number>().default(1) }),
  response,
  example: { input: { page: 2 }, output },
})
const create = route('POST /reminders', {
  summary: 'Creates, with a key that makes it safe to repeat',
  access: { keys: 'any', feature: 'send' },
  body: z.object({ containerId }),
  status: 201,
  response,
  errors: ['NUMBER_NOT_ON_NETWORK', 'NOT_FOUND'],
  idempotent: true,
  example: { input: {}, output },
})
const rename = route('PUT /things/:id/:slug', {
  summary: 'For signed-in owners',
  access: { keys: 'none', roles: ['owner'] },
  params: z.object({ id: z.uuid(), slug: z.string() }),
  response,
  example: { input: { id: 'a', slug: 'b' }, output },
})
const remove = route('DELETE /things/:id', {
  summary: 'By id',
  access: { keys: 'any' },
  params: z.object({ id: z.uuid().describe('Which one.') }),
  response,
  errors: ['IN_USE'],
  example: { input: { id: 'a' }, output },
})

type Codes = Readonly<Partial<Record<ErrorCode, true>>>
const ofOpen: Codes = {
  PAYLOAD_TOO_LARGE: true,
  INVALID_JSON: true,
  VALIDATION_ERROR: true,
  SIGNUP_DISABLED: true,
  SERVICE_BUSY: true,
  INTERNAL_ERROR: true,
}
const ofList: Codes = {
  AUTH_ERROR: true,
  OAUTH_TOKEN_SCOPE: true,
  ORGANIZATION_MOVED: true,
  ACCOUNT_DEACTIVATED: true,
  TWO_FACTOR_REQUIRED: true,
  NUMBER_KEY_SCOPE: true,
  NO_ACTIVE_PRODUCT: true,
  PRODUCT_REQUIRED: true,
  VALIDATION_ERROR: true,
  NOT_FOUND: true,
  SERVICE_BUSY: true,
  INTERNAL_ERROR: true,
}
const ofCreate: Codes = {
  AUTH_ERROR: true,
  OAUTH_TOKEN_SCOPE: true,
  ORGANIZATION_MOVED: true,
  ACCOUNT_DEACTIVATED: true,
  TWO_FACTOR_REQUIRED: true,
  NO_ACTIVE_PRODUCT: true,
  PRODUCT_REQUIRED: true,
  RATE_LIMITED: true,
  PAYLOAD_TOO_LARGE: true,
  INVALID_JSON: true,
  VALIDATION_ERROR: true,
  CONFLICT: true,
  NOT_FOUND: true,
  NUMBER_NOT_ON_NETWORK: true,
  SERVICE_BUSY: true,
  INTERNAL_ERROR: true,
}
const ofRename: Codes = {
  AUTH_ERROR: true,
  OAUTH_TOKEN_SCOPE: true,
  ORGANIZATION_MOVED: true,
  ACCOUNT_DEACTIVATED: true,
  TWO_FACTOR_REQUIRED: true,
  NUMBER_KEY_SCOPE: true,
  USER_REQUIRED: true,
  ROLE_FORBIDDEN: true,
  RATE_LIMITED: true,
  INVALID_ID: true,
  VALIDATION_ERROR: true,
  SERVICE_BUSY: true,
  INTERNAL_ERROR: true,
}
const ofRemove: Codes = {
  AUTH_ERROR: true,
  OAUTH_TOKEN_SCOPE: true,
  ORGANIZATION_MOVED: true,
  ACCOUNT_DEACTIVATED: true,
  TWO_FACTOR_REQUIRED: true,
  RATE_LIMITED: true,
  INVALID_ID: true,
  IN_USE: true,
  SERVICE_BUSY: true,
  INTERNAL_ERROR: true,
}

describe('listErrors', () => {
  it.each<[string, Route, Codes]>([
    ['a public route with a body', open, ofOpen],
    ['a gated read with a containerId in the query', list, ofList],
    ['an idempotent change with a containerId in the body', create, ofCreate],
    ['a change for signed-in owners with an id and a word in the path', rename, ofRename],
    ['a change by id for any key', remove, ofRemove],
  ])('lists every code of %s', (_name, subject, expected) => {
    const codes = listErrors(subject)
    expect([...codes].sort()).toEqual(Object.keys(expected).sort())
  })

  it('names each code once, in the order of the checks', () => {
    expect(listErrors(create).slice(0, 8)).toEqual([
      'AUTH_ERROR',
      'OAUTH_TOKEN_SCOPE',
      'ORGANIZATION_MOVED',
      'ACCOUNT_DEACTIVATED',
      'TWO_FACTOR_REQUIRED',
      'NO_ACTIVE_PRODUCT',
      'PRODUCT_REQUIRED',
      'RATE_LIMITED',
    ])
    expect(new Set(listErrors(create)).size).toBe(listErrors(create).length)
  })
})

describe('route', () => {
  it('gives callers one flat input of path parameters, query and body', () => {
    expectTypeOf<Input<typeof rename>>().toEqualTypeOf<{ id: string; slug: string }>()
    expectTypeOf<Input<typeof list>>().toEqualTypeOf<{ containerId?: string | undefined; page?: number | undefined }>()
  })

  it('demands a schema for exactly the names in the path', () => {
    const promises = {
      summary: 's',
      access: { keys: 'any' },
      response,
      example: { input: { id: 'a' }, output },
    } as const
    // @ts-expect-error the path names an id
    route('GET /things/:id', promises)
    // @ts-expect-error the path names an id, not a name
    route('GET /things/:id', { ...promises, params: z.object({ name: z.uuid() }) })
    // @ts-expect-error the path names nothing
    route('GET /things', { ...promises, params: z.object({ id: z.uuid() }) })
    expect(route('GET /things/:id', { ...promises, params: z.object({ id: z.uuid() }) }).endpoint).toBe(
      'GET /things/:id',
    )
  })

  it('demands an example that fits the schemas, without further fields', () => {
    const params = z.object({ id: z.uuid() })
    const promises = { summary: 's', access: { keys: 'any' }, params, response } as const
    // @ts-expect-error the route takes an id
    route('GET /things/:id', { ...promises, example: { output } })
    // @ts-expect-error an id is a text
    route('GET /things/:id', { ...promises, example: { input: { id: 7 }, output } })
    // @ts-expect-error the route takes no name
    route('GET /things/:id', { ...promises, example: { input: { id: 'a', name: 'b' }, output } })
    // @ts-expect-error the response has no other field
    route('GET /things/:id', { ...promises, example: { input: { id: 'a' }, output: { other: 1 } } })
    // @ts-expect-error the route takes nothing
    route('GET /things', { ...promises, params: undefined, example: { input: { id: 'a' }, output } })
    const example = { input: { id: 'a' }, output }
    expect(route('GET /things/:id', { ...promises, example }).example).toEqual(example)
  })

  it('splits an endpoint into method and path', () => {
    expect(splitEndpoint('PUT /things/:id')).toEqual({ method: 'PUT', path: '/things/:id' })
  })
})
