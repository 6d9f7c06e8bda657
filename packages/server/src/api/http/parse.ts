import type { Issue, Route } from '@msgctl/contract'
import { describeIssues } from '@msgctl/contract/issues'
import * as z from 'zod'
import { ApiError, apiError } from '#platform/errors.ts'
import { parseBulkBody } from './body/entries.ts'
import type { UploadedBody } from './files/upload.ts'
import type { RawRequest } from './handler.ts'
import { type ParsedPart, parsePart } from './part.ts'

/** One request's input before it is parsed: path parameters and query as text, the body as JSON. */
export interface RawInput {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
}

/** The same after the contract has parsed it. */
export interface ParsedInput {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  /** The bytes of an upload. */
  readonly file?: Buffer
  /** The request to a route that takes its body as it came. */
  readonly raw?: RawRequest
}

const mostNames = 20
/** Names that can stand in a header; no field of the contract looks otherwise. */
const nameForm = /^[\w.-]{1,64}$/

/** Returns the names in the query and the body that the route does not have, and that are ignored; at most 20. */
export function ignoredNames({ query, body }: Route, raw: RawInput): string[] {
  const given = typeof raw.body === 'object' && raw.body !== null && !Array.isArray(raw.body) ? raw.body : {}
  return [
    ...Object.keys(raw.query).filter((name) => !Object.hasOwn(query?.shape ?? {}, name)),
    ...Object.keys(given).filter((name) => !Object.hasOwn(body?.shape ?? {}, name)),
  ]
    .filter((name) => nameForm.test(name))
    .slice(0, mostNames)
}

/** Returns the same of an upload, whose query describes the file only where the file is the whole body. */
export function ignoredNamesOfUpload(route: Route, query: RawInput['query'], { fields }: UploadedBody): string[] {
  const unused = Object.entries(query).filter(([name, value]) => fields[name] !== value)
  return ignoredNames(route, { params: {}, query: Object.fromEntries(unused), body: fields })
}

/**
 * Parses a request with its route. Throws INVALID_ID for a path id that is no UUID. All other faults of the path, the
 * query and the body are in one VALIDATION_ERROR, together with `more` faults found elsewhere.
 */
export function parseInput(route: Route, raw: RawInput, more: readonly Issue[]): ParsedInput {
  return join(route, raw, parsePart(route.body, raw.body, 'body'), more)
}

/**
 * Does the same for a route with large lists: they are parsed a few entries at a time, and other requests run in
 * between.
 */
export async function parseBulkInput(route: Route, raw: RawInput, more: readonly Issue[]): Promise<ParsedInput> {
  return join(route, raw, await parseBulkBody(route.body ?? z.object({}), raw.body), more)
}

/** Parses what a caller says about an uploaded file; the file itself has no schema. */
export function parseUploadInput(route: Route, { bytes, fields }: UploadedBody, more: readonly Issue[]): ParsedInput {
  const described = parsePart(route.body?.omit({ content: true }), fields, 'body')
  return { ...join(route, { params: {}, query: {}, body: fields }, described, more), file: bytes }
}

function join(route: Route, raw: RawInput, body: ParsedPart, more: readonly Issue[]): ParsedInput {
  const params = parsePart(route.params, raw.params, 'path')
  refuseIds(route, params.issues)
  const query = parsePart(route.query, raw.query, 'query')
  const issues = [...params.issues, ...query.issues, ...body.issues, ...more]
  if (issues.length > 0) throw validationError(issues)
  return { params: params.data, query: query.data, body: body.data }
}

function refuseIds({ params }: Route, issues: readonly Issue[]): void {
  const id = issues.find(({ field }) => params?.shape[field] instanceof z.ZodUUID)
  if (id) throw apiError('INVALID_ID', `${id.field} in the path must be a UUID.`)
}

/** Returns the VALIDATION_ERROR for these faults; there is at least one. */
export function validationError(issues: readonly Issue[]): ApiError {
  const { message, details } = describeIssues(issues)
  return new ApiError('VALIDATION_ERROR', message, details, issues)
}
