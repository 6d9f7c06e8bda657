import { maxIssues, parseOptions, toIssues } from '@msgctl/contract/issues'
import * as z from 'zod'
import { type ParsedPart, parsePart } from '#api/http/part.ts'
import { yielding } from '#platform/concurrency/yielding.ts'

/** A body's schema, split once. */
interface Pieces {
  /** The body with lists of unknown entries instead of its lists; their lengths are checked. */
  readonly frame: z.ZodObject
  /** The schema of one entry of each list. */
  readonly entries: ReadonlyMap<string, z.core.$ZodType>
}

const known = new WeakMap<z.ZodObject, Pieces>()

/**
 * Parses a body as its schema would, with its lists a few entries at a time: other requests run in between. It stops
 * after {@link maxIssues} faults.
 */
export async function parseBulkBody(schema: z.ZodObject, input: unknown): Promise<ParsedPart> {
  const { frame, entries } = splitOnce(schema)
  const framed = parsePart(frame, input, 'body')
  if (!isObject(input)) return framed
  const data: Record<string, unknown> = { ...(framed.data ?? input) }
  const faults: z.core.$ZodIssue[] = []
  const pause = yielding()
  for (const [field, entry] of entries) {
    const given = data[field]
    if (Array.isArray(given)) data[field] = await parseEntries(given, entry, field)
  }
  const issues = [...framed.issues, ...toIssues(faults, input, 'body')]
  return { data: issues.length > 0 ? undefined : data, issues }

  async function parseEntries(given: readonly unknown[], entry: z.core.$ZodType, field: string): Promise<unknown[]> {
    const parsed: unknown[] = []
    for (const [index, one] of given.entries()) {
      const result = z.safeParse(entry, one, parseOptions)
      if (result.success) parsed.push(result.data)
      else for (const fault of result.error.issues) faults.push({ ...fault, path: [field, index, ...fault.path] })
      if (faults.length >= maxIssues) break
      await pause()
    }
    return parsed
  }
}

function isObject(input: unknown): input is object {
  return typeof input === 'object' && input !== null && !Array.isArray(input)
}

function splitOnce(schema: z.ZodObject): Pieces {
  const pieces = known.get(schema) ?? split(schema)
  known.set(schema, pieces)
  return pieces
}

function split(schema: z.ZodObject): Pieces {
  const entries = new Map<string, z.core.$ZodType>()
  const loose: Record<string, z.ZodType> = {}
  for (const [field, value] of Object.entries(schema.shape)) {
    const isOptional = value instanceof z.ZodOptional
    const list = isOptional ? value.unwrap() : value
    if (!(list instanceof z.ZodArray)) continue
    entries.set(field, list.element)
    const anyEntries = list.clone({ ...list.def, element: z.unknown() })
    loose[field] = isOptional ? anyEntries.optional() : anyEntries
  }
  return { frame: schema.extend(loose), entries }
}
