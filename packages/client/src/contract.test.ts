import { adminEndpoints, contract, endpointTraits, type Route } from '@msgctl/contract'
import { describe, expect, it } from 'vitest'
import { connect, errorFrom } from './test/connect.ts'
import { failure } from './test/scripted-server.ts'

const routes = Object.entries(contract).flatMap(([resource, table]) =>
  Object.entries(table as Record<string, Route>).map(([name, route]) => ({ resource, name, route })),
)

describe('the contract, as the client relies on it', () => {
  it('puts the input of a read into the query and that of a change into the body', () => {
    expect(routes.length).toBeGreaterThan(60)
    for (const { route } of routes) {
      const reads = route.endpoint.startsWith('GET ')
      expect(reads ? route.body : route.query, route.endpoint).toBeUndefined()
    }
  })

  it('names no field like a path parameter, because both are in one flat input', () => {
    for (const { route } of routes) {
      const fields = [...Object.keys(route.query?.shape ?? {}), ...Object.keys(route.body?.shape ?? {})]
      const names = Object.keys(route.params?.shape ?? {})
      expect(
        fields.filter((field) => names.includes(field)),
        route.endpoint,
      ).toEqual([])
    }
  })

  it('marks no route that sends as a read, because reads are retried freely', () => {
    for (const { route } of routes) {
      const { idempotent, reads } = endpointTraits(route.endpoint)
      expect(reads && (idempotent || route.sends !== undefined), route.endpoint).toBe(false)
    }
  })

  it('has every route under its own name in the client, with its method and path', async () => {
    const { client, admin, server } = await connect({}, failure(400, 'VALIDATION_ERROR'))
    for (const { resource, name, route } of routes) {
      const names = Object.keys(route.params?.shape ?? {})
      const input = Object.fromEntries(names.map((param) => [param, 'value']))
      const owner = resource in adminEndpoints ? admin : client
      const bound = (owner as unknown as Record<string, Record<string, (input: object) => unknown>>)[resource]?.[name]
      const result = bound?.(input)
      const pending = route.stream ? (result as AsyncGenerator).next() : (result as Promise<unknown>)
      expect(await errorFrom(pending)).toMatchObject({ code: 'VALIDATION_ERROR', endpoint: route.endpoint })
      const { method, path } = server.requests.at(-1) ?? {}
      expect(`${method} ${path}`).toBe(route.endpoint.replace(/:\w+/g, 'value'))
    }
    expect(server.requests).toHaveLength(routes.length)
  })
})
