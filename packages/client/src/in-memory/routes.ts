import { contract, type Route } from '@msgctl/contract'
import type { CallName, InputOf, OutputOf } from '../types.ts'

/** A route by its name on the client: `alert.send`. */
export type RouteId = CallName

/** The input of a route. */
export type InputAt<Id extends RouteId> = InputOf<Id>

/** The response of a route; the fake adds `success` where the service has it. */
export type AnswerAt<Id extends RouteId> =
  OutputOf<Id> extends { success: true } ? Omit<OutputOf<Id>, 'success'> : OutputOf<Id>

/** A route of the contract by its name on the client. */
interface Pattern {
  readonly id: RouteId
  readonly method: string
  readonly segments: readonly string[]
  readonly route: Route
}

const patterns: readonly Pattern[] = Object.entries(contract).flatMap(([resource, routes]) =>
  Object.entries<Route>({ ...routes }).map(([name, route]) => {
    const [method = '', path = ''] = route.endpoint.split(' ')
    return { id: `${resource}.${name}` as RouteId, method, segments: path.split('/'), route }
  }),
)

/** The route of a request, and the values of its path parameters. */
export interface Match {
  readonly id: RouteId
  readonly parameters: Readonly<Record<string, string>>
  readonly route: Route
}

function matchOne({ id, segments, route }: Pattern, parts: readonly string[]): Match | undefined {
  if (segments.length !== parts.length) return undefined
  const parameters: Record<string, string> = {}
  for (const [index, segment] of segments.entries()) {
    const part = parts[index] ?? ''
    if (segment.startsWith(':')) parameters[segment.slice(1)] = decodeURIComponent(part)
    else if (segment !== part) return undefined
  }
  return { id, parameters, route }
}

/** Returns the route of a request by its path relative to the base URL. Paths without parameters come first. */
export function matchRoute(method: string, path: string): Match | undefined {
  const parts = path.split('/')
  const matches = patterns.flatMap((pattern) => (pattern.method === method ? (matchOne(pattern, parts) ?? []) : []))
  return matches.sort((left, right) => Object.keys(left.parameters).length - Object.keys(right.parameters).length)[0]
}

/** Returns the route of a name. */
export const routeAt = (name: RouteId): Route | undefined => patterns.find(({ id }) => id === name)?.route
