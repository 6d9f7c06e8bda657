import type { Issue, Route } from '@msgctl/contract'
import { describeIssues, parseOptions, toIssues } from '@msgctl/contract/issues'

/** A request before it is validated: path parameters and query as text, the body as JSON. */
export interface RawInput {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  /** Undefined for a file, which has no schema. */
  readonly body: unknown
}

/** The error with which the service refuses an input. */
export interface InputFault {
  readonly code: 'INVALID_ID' | 'VALIDATION_ERROR'
  readonly message: string
  readonly details: unknown
  readonly issues?: readonly Issue[]
}

/** Returns the error with which the service refuses this input by the contract, or null when it accepts it. */
export function findFault({ params, query, body }: Route, raw: RawInput): InputFault | null {
  const ofPath = faultsIn(params, raw.params, 'path')
  const id = ofPath.find(({ code }) => code === 'invalid_uuid')
  if (id) return { code: 'INVALID_ID', message: `${id.field} in the path must be a UUID.`, details: undefined }
  const ofBody = raw.body === undefined ? [] : faultsIn(body, raw.body, 'body')
  const issues = [...ofPath, ...faultsIn(query, raw.query, 'query'), ...ofBody]
  return issues.length === 0 ? null : { code: 'VALIDATION_ERROR', ...describeIssues(issues), issues }
}

function faultsIn(schema: Route['body'], input: unknown, whole: string): Issue[] {
  const parsed = schema?.safeParse(input, parseOptions)
  return parsed?.error ? toIssues(parsed.error.issues, input, whole) : []
}
