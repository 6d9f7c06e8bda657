import { contract, type Method, type Route, splitEndpoint } from '@msgctl/contract'
import * as z from 'zod'
import { type EndpointName, handlers } from '#process/handlers.ts'

/** A route that the service handles, with its name in the contract. */
export interface MountedRoute {
  /** As `resource.name`. */
  readonly name: EndpointName
  readonly route: Route
  readonly method: Method
  readonly path: string
  /** The names of its path parameters that are ids. */
  readonly ids: readonly string[]
}

function mountedRoute(name: EndpointName, route: Route): MountedRoute {
  const ids = Object.entries(route.params?.shape ?? {}).flatMap(([key, field]) =>
    field instanceof z.ZodUUID ? [key] : [],
  )
  return { name, route, ...splitEndpoint(route.endpoint), ids }
}

/** Every route of the contract. */
export const promised: readonly MountedRoute[] = Object.entries(contract).flatMap(([resource, routes]) =>
  Object.entries(routes).map(([name, route]) => mountedRoute(`${resource}.${name}` as EndpointName, route as Route)),
)

const present = new Set(
  Object.entries(handlers).flatMap(([resource, own]) => Object.keys(own).map((name) => `${resource}.${name}`)),
)

/** Every route that has a handler. What is generated from this list grows with it. */
export const mounted: readonly MountedRoute[] = promised.filter(({ name }) => present.has(name))

/** The mounted route of that name. Throws when it is not mounted. */
export function mountedAs(name: EndpointName): MountedRoute {
  const found = mounted.find((route) => route.name === name)
  if (!found) throw new Error(`${name} is not mounted`)
  return found
}
