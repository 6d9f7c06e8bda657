import { outputExample } from '@msgctl/contract/examples'
import type { AnswerAt, RouteId } from './routes.ts'

/** The routes that have an example: all but the document itself. */
export type ExampleId = Exclude<RouteId, 'openapi.document'>

type Fields = Record<string, unknown>

/**
 * Returns the example response of a route, the one of the API reference. Change what a test is about:
 * `{ message: { ...exampleOf('messages.get').message, status: 'failed' } }`.
 */
export function exampleOf<Id extends ExampleId>(route: Id): AnswerAt<Id> {
  const { success: _, ...fields } = findExample(route) ?? {}
  // A test of the contract parses every example with the schema of its route.
  return fields as AnswerAt<Id>
}

function findExample(route: RouteId): Fields | undefined {
  const [resource = '', name = ''] = route.split('.')
  const example = outputExample(resource, name)
  return example === undefined ? undefined : structuredClone(example)
}

/** The ids by which later calls name what a call has made. */
const ownIds = ['messageId', 'requestId']

/**
 * Returns the response of a route for which a test has set none, or undefined when it has no example. What the call
 * makes gets an id of its own, so that two sends differ.
 */
export function defaultAnswer(route: RouteId, makes: boolean): Fields | undefined {
  const example = findExample(route)
  if (example === undefined) return undefined
  const { success: _, ...fields } = example
  if (!makes) return fields
  for (const name of ownIds) if (name in fields) fields[name] = crypto.randomUUID()
  for (const value of Object.values(fields)) if (hasId(value)) value.id = crypto.randomUUID()
  return fields
}

function hasId(value: unknown): value is { id: string } {
  return typeof value === 'object' && value !== null && 'id' in value
}
