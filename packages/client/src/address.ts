import { endpointTraits } from '@msgctl/contract/traits'
import { fileIn } from './calls/files.ts'
import { invalidInput } from './error.ts'

/** The flat input object of a caller. */
export type FlatInput = Readonly<Record<string, unknown>>

/** A request without its headers. */
export interface RequestTarget {
  readonly method: string
  /** Path and query, relative to the base URL. */
  readonly path: string
  /** The rest of the input as JSON text, or the file of an upload. */
  readonly body: string | ArrayBuffer | Blob | undefined
}

function segmentFrom(endpoint: string, name: string, value: unknown): string {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string' || text === '') throw invalidInput(`${endpoint}: ${name} is missing.`)
  // A URL drops these two segments, even percent-encoded, and the request would reach another route.
  if (text === '.' || text === '..') throw invalidInput(`${endpoint}: ${name} must not be ${text}`)
  return encodeURIComponent(text)
}

function queryText(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  return Array.isArray(value) ? value.join(',') : String(value)
}

/** Returns the query string. Fields that are undefined or null are left out; lists are joined with commas. */
function queryFrom(fields: readonly (readonly [string, unknown])[]): string {
  const query = new URLSearchParams()
  for (const [name, value] of fields) if (value !== undefined && value !== null) query.append(name, queryText(value))
  const text = query.toString()
  return text
}

function withQuery(path: string, query: string): string {
  if (query === '') return path
  return `${path}${path.includes('?') ? '&' : '?'}${query}`
}

/**
 * Splits a flat input: path parameters go into the path, the rest into the query of a GET or the JSON body. A `content`
 * of bytes is the body, and the rest its query, with the name of a File. Throws a TypeError with code INVALID_INPUT
 * when a path parameter is missing or a file cannot be sent.
 */
export function locate(endpoint: string, input: FlatInput): RequestTarget {
  const space = endpoint.indexOf(' ')
  const method = endpoint.slice(0, space)
  const inPath = new Set<string>()
  const path = endpoint.slice(space + 1).replace(/\/:(\w+)/g, (_, name: string) => {
    inPath.add(name)
    return `/${segmentFrom(endpoint, name, input[name])}`
  })
  const rest = Object.entries(input).filter(([name]) => !inPath.has(name))
  if (method === 'GET') return { method, path: withQuery(path, queryFrom(rest)), body: undefined }
  const file = endpointTraits(endpoint).upload ? fileIn(input.content) : undefined
  if (file) {
    const others = { ...input, content: undefined, filename: input.filename ?? (file as Partial<File>).name }
    return { method, path: withQuery(path, queryFrom(Object.entries(others))), body: file }
  }
  if (method === 'DELETE' && rest.length === 0) return { method, path, body: undefined }
  return { method, path, body: JSON.stringify(Object.fromEntries(rest)) }
}
