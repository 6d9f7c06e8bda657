import { type AnswerAt, type RouteId, routeAt } from './routes.ts'

/** The routes that have an example: all but the document itself. */
export type ExampleId = Exclude<RouteId, 'openapi.document'>

type Fields = Record<string, unknown>

/**
 * Returns the example response of a route, the one of the API reference. Change what a test is about:
 * `{ message: { ...exampleOf('messages.get').message, status: 'failed' } }`.
 */
export function exampleOf<Id extends ExampleId>(route: Id): AnswerAt<Id> {
  // The contract does not compile with an example that does not fit its route.
  return (findExample(route) ?? {}) as AnswerAt<Id>
}

function findExample(route: RouteId): Fields | undefined {
  if (route === 'openapi.document') return undefined
  return structuredClone({ ...routeAt(route)?.example.output })
}

/** The ids by which later calls name what a call has made. */
const ownIds = ['messageId', 'requestId']

/**
 * Returns the response of a route for which a test has set none, or undefined when it has no example. What the call
 * makes gets an id of its own, so that two sends differ.
 */
export function defaultAnswer(route: RouteId, makes: boolean): Fields | undefined {
  const fields = findExample(route)
  if (fields === undefined || !makes) return fields
  for (const name of ownIds) if (name in fields) fields[name] = crypto.randomUUID()
  for (const value of Object.values(fields)) if (hasId(value)) value.id = crypto.randomUUID()
  return fields
}

function hasId(value: unknown): value is { id: string } {
  return typeof value === 'object' && value !== null && 'id' in value
}
