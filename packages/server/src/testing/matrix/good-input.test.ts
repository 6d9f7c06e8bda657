import { describe, expect, it } from 'vitest'
import { goodInput } from './good-input.ts'
import { promised } from './mounted.ts'

describe('the good inputs, which every generated test begins with', () => {
  it.each(promised.map((route) => [route.name, route] as const))('of %s are taken by the contract', (_name, route) => {
    const { params, query, body } = goodInput(route)
    for (const [schema, input] of [
      [route.route.params, params],
      [route.route.query, query ?? {}],
      [route.route.body, body],
    ] as const) {
      if (schema) expect(schema.safeParse(input).error?.issues).toBeUndefined()
    }
  })
})
