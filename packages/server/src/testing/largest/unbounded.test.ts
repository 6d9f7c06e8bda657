import { products } from '@msgctl/contract'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { toolsFor } from '#ai-clients/mcp/catalogue.ts'
import { unboundedFields } from './unbounded.ts'

const everyTool = toolsFor({
  containerId: null,
  products: new Set(products),
  isKey: true,
  scopes: new Set(['read', 'send', 'manage']),
  isReadOnly: false,
})

// Those of the routes are covered by the tests of the contract.
describe('the arguments of every tool of AI clients', () => {
  it.each(everyTool.map((tool) => [tool.name, tool.input] as const))('have a maximum: %s', (_name, input) => {
    expect(unboundedFields(input)).toEqual([])
  })
})

describe('an input without a maximum', () => {
  it.each<[string, z.ZodType, readonly string[]]>([
    ['a text', z.object({ a: z.string() }), ['a']],
    ['a text of a pattern', z.object({ a: z.string().regex(/^[a-z]+$/) }), ['a']],
    ['a list', z.object({ a: z.array(z.int()) }), ['a']],
    ['a text in a list', z.object({ a: z.array(z.object({ b: z.string().nullable() })).max(2) }), ['a.*.b']],
    ['a record', z.object({ a: z.record(z.string().max(3), z.boolean()) }), ['a']],
    ['a value of a record', z.object({ a: z.record(z.enum(['b']), z.string()).optional() }), ['a.*']],
    [
      'a key of a record',
      z.object({ a: z.record(z.string(), z.boolean()).meta({ maxProperties: 2 }) }),
      ['a.the keys'],
    ],
    ['one of two forms', z.object({ a: z.union([z.uuid(), z.array(z.uuid())]) }), ['a']],
    ['anything', z.object({ a: z.unknown() }), ['a']],
  ])('is found: %s', (_what, schema, expected) => {
    expect(unboundedFields(schema)).toEqual(expected)
  })
})
