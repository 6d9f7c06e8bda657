import type { Issue } from '@msgctl/contract'
import { parseOptions, toIssues } from '@msgctl/contract/issues'
import type * as z from 'zod'

/** The path, the query or the body once parsed; without issues `data` is what the contract promises. */
export interface ParsedPart {
  readonly data: unknown
  readonly issues: readonly Issue[]
}

/** Parses one part of a request; `whole` names it. A part without a schema is empty. */
export function parsePart(schema: z.ZodObject | undefined, input: unknown, whole: string): ParsedPart {
  if (!schema) return { data: {}, issues: [] }
  const parsed = schema.safeParse(input, parseOptions)
  if (parsed.success) return { data: parsed.data, issues: [] }
  return { data: undefined, issues: toIssues(parsed.error.issues, input, whole) }
}
