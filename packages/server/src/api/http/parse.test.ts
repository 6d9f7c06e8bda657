import { normalizePhone, route } from '@msgctl/contract'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { ApiError } from '#platform/errors.ts'
import { parseInput, type RawInput } from './parse.ts'

const phone = z.string().transform((text, context) => {
  if (normalizePhone(text, { lid: false })) return text
  context.addIssue({ code: 'custom', message: 'must be a phone', params: { code: 'invalid_phone' } })
  return z.NEVER
})

const tried = route('PUT /tried/:id/:phone', {
  summary: 'A route of every kind of field',
  access: { keys: 'public' },
  params: z.object({ id: z.uuid(), phone }),
  query: z.object({ limit: z.coerce.number<number>().int().min(1).max(100).default(50), from: z.uuid().optional() }),
  body: z.object({
    text: z.string().min(1).max(5).optional(),
    kind: z.enum(['high', 'low']).optional(),
    one: z.literal('x').optional(),
    count: z.int().min(2).max(3).optional(),
    ratio: z.number().gt(0).optional(),
    on: z.boolean().optional(),
    list: z
      .array(z.object({ phone, at: z.iso.datetime().optional() }))
      .min(1)
      .max(2)
      .optional(),
    words: z
      .string()
      .transform((text) => text.split(','))
      .pipe(z.array(z.enum(['a', 'b'])))
      .optional(),
    values: z.record(z.string().max(3), z.string()).optional(),
    link: z.url().optional(),
    mail: z.email().optional(),
    either: z.union([z.string(), z.number()]).optional(),
    must: z.string(),
  }),
  response: z.object({}),
  example: { input: { id: '018f3b5e-0000-7000-8000-000000000001', phone: '+12025550100', must: 'x' }, output: {} },
})

const id = '018f3b5e-0000-7000-8000-000000000001'

function refusal(raw: Partial<RawInput>): ApiError {
  try {
    parseInput(tried, { params: { id, phone: '+12025550100' }, query: {}, body: { must: 'x' }, ...raw }, [])
  } catch (error) {
    return error as ApiError
  }
  throw new Error('the input was accepted')
}

function faults(body: object): readonly object[] {
  return refusal({ body: { must: 'x', ...body } }).issues ?? []
}

describe('the faults of an input', () => {
  it.each([
    [{ must: undefined }, { field: 'must', code: 'required', message: 'is required' }],
    [{ text: 7 }, { field: 'text', code: 'invalid_type', message: 'must be text' }],
    [{ text: null }, { field: 'text', code: 'invalid_type', message: 'must be text' }],
    [{ text: '' }, { field: 'text', code: 'too_small', minimum: 1, message: 'must have at least 1 character' }],
    [{ text: 'abcdef' }, { field: 'text', code: 'too_big', maximum: 5, message: 'must have at most 5 characters' }],
    [{ kind: 'mid' }, { field: 'kind', code: 'invalid_enum', message: 'must be one of high, low' }],
    [{ one: 'y' }, { field: 'one', code: 'invalid_enum', message: 'must be x' }],
    [{ count: 1 }, { field: 'count', code: 'too_small', minimum: 2, message: 'must be at least 2' }],
    [{ count: 4 }, { field: 'count', code: 'too_big', maximum: 3, message: 'must be at most 3' }],
    [{ count: 2.5 }, { field: 'count', code: 'invalid_type', message: 'must be a whole number' }],
    [{ ratio: 0 }, { field: 'ratio', code: 'too_small', minimum: 0, message: 'must be more than 0' }],
    [{ on: 'yes' }, { field: 'on', code: 'invalid_type', message: 'must be true or false' }],
    [{ list: {} }, { field: 'list', code: 'invalid_type', message: 'must be a list' }],
    [{ list: [] }, { field: 'list', code: 'too_small', minimum: 1, message: 'must have at least 1 entry' }],
    [{ list: [7] }, { field: 'list.0', code: 'invalid_type', message: 'must be an object' }],
    [{ list: [{}] }, { field: 'list.0.phone', code: 'required', message: 'is required' }],
    [{ words: 'a,c' }, { field: 'words.1', code: 'invalid_enum', message: 'must be one of a, b' }],
    [{ list: [{ phone: '12' }] }, { field: 'list.0.phone', code: 'invalid_phone', message: 'must be a phone' }],
    [
      { list: [{ phone: '12025550100', at: 'soon' }] },
      {
        field: 'list.0.at',
        code: 'invalid_datetime',
        message: 'must be an ISO 8601 time like 2026-10-01T09:00:00Z',
      },
    ],
    [{ values: { a: 1 } }, { field: 'values.a', code: 'invalid_type', message: 'must be text' }],
    [{ values: { long: '' } }, { field: 'values.long', code: 'custom', message: 'has a key that is not allowed' }],
    [{ link: 'x' }, { field: 'link', code: 'invalid_url', message: 'must be a URL' }],
    [{ mail: 'x' }, { field: 'mail', code: 'custom', message: 'must be an e-mail address' }],
    [{ either: true }, { field: 'either', code: 'custom', message: 'has none of the accepted forms' }],
  ])('are reported for %j', (body, fault) => {
    expect(faults(body)).toEqual([fault])
  })

  it.each([[null], [[]], ['text'], [7]])('are reported for a body that is no object: %j', (body) => {
    expect(refusal({ body }).issues).toEqual([{ field: 'body', code: 'invalid_type', message: 'must be an object' }])
  })

  it('of the query and the body are reported together, field by field', () => {
    const error = refusal({ query: { limit: '101', from: 'me' }, body: { text: 7 } })
    expect(error.code).toBe('VALIDATION_ERROR')
    expect(error.details).toEqual({
      limit: ['must be at most 100'],
      from: ['must be a UUID'],
      text: ['must be text'],
      must: ['is required'],
    })
    expect(error.issues).toContainEqual({ field: 'from', code: 'invalid_uuid', message: 'must be a UUID' })
    expect(error.message).toBe('limit must be at most 100. There are 3 more faults.')
  })

  it('of a repeated query field are reported', () => {
    expect(refusal({ query: { limit: ['1', '2'] } }).details).toEqual({ limit: ['must be a number'] })
  })

  it('in a path id are INVALID_ID, before every other fault', () => {
    const error = refusal({ params: { id: 'nope', phone: 'x' }, body: {} })
    expect(error).toMatchObject({ code: 'INVALID_ID', message: 'id in the path must be a UUID.' })
  })

  it('in a phone of the path are a VALIDATION_ERROR', () => {
    expect(refusal({ params: { id, phone: 'x' } }).details).toEqual({ phone: ['must be a phone'] })
  })

  it('are reported up to a hundred', () => {
    const values = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [index % 1000, 1]))
    expect(faults({ values })).toHaveLength(100)
  })

  it('name a field by at most 200 characters, also when the caller chose its name', () => {
    const [fault] = faults({ values: { ['k'.repeat(5000)]: 'v' } })
    expect(fault).toMatchObject({ field: `values.${'k'.repeat(193)}` })
  })
})

describe('a good input', () => {
  it('is parsed, with its defaults and without unknown fields', () => {
    const parsed = parseInput(
      tried,
      { params: { id, phone: '+12025550100' }, query: { other: '1' }, body: { must: 'x', unknown: true } },
      [],
    )
    expect(parsed).toEqual({ params: { id, phone: '+12025550100' }, query: { limit: 50 }, body: { must: 'x' } })
  })

  it('has its faults from elsewhere reported too', () => {
    const issue = { field: 'Idempotency-Key', code: 'custom', message: 'is odd' } as const
    const raw = { params: { id, phone: '+12025550100' }, query: {}, body: { must: 'x' } }
    expect(() => parseInput(tried, raw, [issue])).toThrow('Idempotency-Key is odd.')
  })
})
