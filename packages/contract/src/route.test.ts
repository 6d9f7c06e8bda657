import { describe, expect, expectTypeOf, it } from 'vitest'
import * as z from 'zod'
import type { ErrorCode } from './errors/error-table.ts'
import { type ErrorsOf, type Failure, type Input, listErrors, type Route, route, splitEndpoint } from './route.ts'

const response = z.object({ done: z.boolean() })
const containerId = z.uuid().optional()

const open = route('POST /open', {
  summary: 'A public form',
  access: { keys: 'public' },
  body: z.object({ name: z.string() }),
  status: 201,
  response,
  errors: ['SIGNUP_DISABLED'],
})
const list = route('GET /things', {
  summary: 'A gated list',
  access: { keys: 'account', feature: 'inbox' },
  query: z.object({ containerId, page: z.coerce.number<number>().default(1) }),
  status: 200,
  response,
  errors: [],
})
const create = route('POST /reminders', {
  summary: 'Creates, with a key that makes it safe to repeat',
  access: { keys: 'any', feature: 'send' },
  body: z.object({ containerId }),
  status: 201,
  response,
  errors: ['NUMBER_NOT_ON_NETWORK', 'NOT_FOUND'],
})
const rename = route('PUT /things/:id/:slug', {
  summary: 'For signed-in owners',
  access: { keys: 'none', roles: ['owner'] },
  params: z.object({ id: z.uuid(), slug: z.string() }),
  status: 200,
  response,
  errors: [],
})
const remove = route('DELETE /things/:id', {
  summary: 'By id',
  access: { keys: 'any' },
  params: z.object({ id: z.uuid().describe('Which one.') }),
  status: 200,
  response,
  errors: ['IN_USE'],
})

/** The keys must be exactly the codes of the type, or this does not compile; the test compares them with the values. */
type Exactly<R extends Route> = Readonly<Record<ErrorsOf<R>, true>>
const ofOpen: Exactly<typeof open> = {
  PAYLOAD_TOO_LARGE: true,
  INVALID_JSON: true,
  VALIDATION_ERROR: true,
  SIGNUP_DISABLED: true,
  SERVICE_BUSY: true,
  INTERNAL_ERROR: true,
}
const ofList: Exactly<typeof list> = {
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
const ofCreate: Exactly<typeof create> = {
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
const ofRename: Exactly<typeof rename> = {
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
const ofRemove: Exactly<typeof remove> = {
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

describe('errorsOf', () => {
  it.each<[string, Route, Partial<Record<ErrorCode, true>>]>([
    ['a public route with a body', open, ofOpen],
    ['a gated read with a containerId in the query', list, ofList],
    ['an idempotent change with a containerId in the body', create, ofCreate],
    ['a change for signed-in owners with an id and a word in the path', rename, ofRename],
    ['a change by id for any key', remove, ofRemove],
  ])('lists at run time what its type lists: %s', (_name, subject, expected) => {
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

  it('keeps every code possible for a route of which only the general type is known', () => {
    expectTypeOf<ErrorsOf<Route>>().toEqualTypeOf<ErrorCode>()
    const routes: Route[] = [open, remove]
    expect(routes.flatMap(listErrors)).toContain('IN_USE')
  })
})

describe('Failure', () => {
  it('narrows the details by the code', () => {
    const seen = (failure: Failure<typeof create>) =>
      failure.code === 'NUMBER_NOT_ON_NETWORK' ? failure.details.invalidNumbers : failure.code
    expect(seen({ code: 'NUMBER_NOT_ON_NETWORK', details: { invalidNumbers: ['1202'] } })).toEqual(['1202'])
    expect(seen({ code: 'NOT_FOUND', details: undefined })).toBe('NOT_FOUND')
    expectTypeOf<Extract<Failure<typeof list>, { code: 'CONFLICT' }>>().toBeNever()
  })
})

describe('route', () => {
  it('gives callers one flat input of path parameters, query and body', () => {
    expectTypeOf<Input<typeof rename>>().toEqualTypeOf<{ id: string; slug: string }>()
    expectTypeOf<Input<typeof list>>().toEqualTypeOf<{ containerId?: string | undefined; page?: number | undefined }>()
  })

  it('demands a schema for exactly the names in the path', () => {
    const promises = { summary: 's', access: { keys: 'any' }, status: 200, response, errors: [] } as const
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

  it('splits an endpoint into method and path', () => {
    expect(splitEndpoint('PUT /things/:id')).toEqual({ method: 'PUT', path: '/things/:id' })
  })
})
