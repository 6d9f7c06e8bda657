import { describe, expect, it } from 'vitest'
import { hasErrorExample } from '../examples/errors.ts'
import { findOperation, isObject, type Json, json, listed, objectsIn, resolve } from '../fixtures/document.ts'
import { endpoints } from '../generated/endpoints.ts'
import { listErrors, type Route } from '../route.ts'
import { responseExample } from './operation.ts'

/** Redocly holds every example against the schemas of the document, in test/openapi/lint.test.ts. */
describe('the examples', () => {
  const takesInput = ({ params, query, body }: Route) => [params, query, body].some((schema) => schema !== undefined)

  it.each(listed)('hold a valid input of $id', ({ id, route }) => {
    const { input } = route.example
    if (!takesInput(route)) return expect(input).toBeUndefined()
    for (const schema of [route.params, route.query, route.body]) {
      const fields = Object.entries(input ?? {}).filter(([key]) => key in (schema?.shape ?? {}))
      expect(schema?.safeParse(Object.fromEntries(fields)).error?.issues ?? [], id).toEqual([])
    }
    const known = [route.params, route.query, route.body].flatMap((schema) => Object.keys(schema?.shape ?? {}))
    expect(Object.keys(input ?? {}).filter((key) => !known.includes(key))).toEqual([])
    if (route.body) expect(findOperation(route.endpoint).requestBody).toHaveProperty('content.application/json.example')
  })

  it.each(listed.filter(({ id }) => id !== 'openapi.document'))('hold a valid response of $id', ({ route }) => {
    const output = responseExample(route)
    expect(route.response.parse(output)).toEqual(output)
    // The response is the file itself.
    if (route.download) return
    const { content } = findOperation(route.endpoint).responses[route.status] as { content: Record<string, Json> }
    expect(Object.values(content)[0]?.example).toEqual(output)
  })

  it('of errors have words of their own for every code that a route returns, and are valid', () => {
    const returned = new Set(listed.flatMap(({ route }) => listErrors(route)))
    const without = [...returned].filter((code) => !hasErrorExample(code))
    expect(without, 'Add an example of each of these codes to examples/errors.ts.').toEqual([])
  })
})

describe('the schemas', () => {
  it('have a name for every record, and none is written out twice', () => {
    const seen = new Map<string, string>()
    const twice: string[] = []
    for (const [path, object] of objectsIn({ paths: json.paths, components: json.components }, '#')) {
      const { properties, required } = object
      if (!isObject(properties) || Object.keys(properties).length < 4 || path.includes('/examples/')) continue
      const text = JSON.stringify([Object.keys(properties).sort(), [...((required ?? []) as string[])].sort()])
      const earlier = seen.get(text)
      // Their data or code differs.
      const isOneOfMany = /(?:Message(?:Sent|Delivered|Read|Failed)|Event|Error\/properties\/error)$/.test(path)
      if (earlier !== undefined && !isOneOfMany && !path.includes('/requestBody/'))
        twice.push(`${path} repeats ${earlier}`)
      seen.set(text, path)
    }
    expect(twice, 'Give the schema a name with .meta({ id }) and use it in both places.').toEqual([])
    const schemas = (json.components as { schemas: Json }).schemas
    const names = [
      'Message',
      'Campaign',
      'Reminder',
      'NumberRecord',
      'Chat',
      'ChatMessage',
      'Contact',
      'Delivery',
      'Account',
      'EventKind',
    ]
    expect(names.filter((name) => !(name in schemas))).toEqual([])
  })

  it('have names that no global of JavaScript has', () => {
    const names = Object.keys((json.components as { schemas: Json }).schemas)
    expect(names.filter((name) => name in globalThis)).toEqual([])
    expect(names.filter((name) => !/^[A-Z][A-Za-z]+$/.test(name))).toEqual([])
  })

  it('may be null where a field may be, also a reference', () => {
    const campaign = resolve('#/components/schemas/NumberRecord/properties/me')
    expect(campaign).toMatchObject({ anyOf: [{ $ref: '#/components/schemas/LinkedAccount' }, { type: 'null' }] })
    const allOfNull = [...objectsIn(json, '#')].filter(([, { allOf }]) =>
      JSON.stringify(allOf ?? '').includes('"null"]}]'),
    )
    expect(allOfNull).toEqual([])
  })

  it('extend a record that has more fields in one response', () => {
    const { content } = findOperation(endpoints.campaigns.status).responses['200'] as { content: Json }
    expect(JSON.stringify(content)).toContain('"allOf":[{"$ref":"#/components/schemas/Campaign"}')
  })
})
