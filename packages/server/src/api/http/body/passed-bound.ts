import type { Details, Route } from '@msgctl/contract'
import * as z from 'zod'
import { validationError } from '#api/http/parse.ts'
import { parsePart } from '#api/http/part.ts'
import { ApiError } from '#platform/errors.ts'

/** Where a body passed a bound. */
interface Place {
  /** Where the name of the field of the root stands, as byte offsets. */
  readonly name: { readonly start: number; readonly end: number }
  /** The entries that the list in the field has at least; null for a text. */
  readonly entries: number | null
}

/** Thrown for a body with more structure or text than its route reads: PAYLOAD_TOO_LARGE. */
export class PassedBound extends ApiError<'PAYLOAD_TOO_LARGE'> {
  readonly #place: Place | null
  /** The field of the root whose value passed the bound; null for none. */
  field: string | null = null

  /** `what` says what the body has; `place` is null where no field of the root is meant. */
  constructor(what: string, details: Details<'PAYLOAD_TOO_LARGE'>, place: Place | null) {
    super('PAYLOAD_TOO_LARGE', `The body has ${what}.`, details)
    this.#place = place
  }

  /** Reads the name of the field from the chunks that arrived. */
  readName(chunks: readonly Uint8Array[]): void {
    if (this.#place === null) return
    const { start, end } = this.#place.name
    // No field of the contract has a longer name.
    if (end - start > longestName) return
    const parts: Uint8Array[] = []
    let offset = 0
    for (const chunk of chunks) {
      parts.push(chunk.subarray(Math.max(0, start - offset), Math.max(0, end - offset)))
      offset += chunk.length
    }
    this.field = Buffer.concat(parts).toString('latin1')
  }

  /**
   * Returns the VALIDATION_ERROR of the field, where the route bounds it more tightly than the body was read; else this
   * error.
   */
  asFault(body: Route['body']): ApiError {
    const { field } = this
    const schema = field !== null && body && Object.hasOwn(body.shape, field) ? body.shape[field] : undefined
    if (field === null || schema === undefined || this.#place === null) return this
    const { entries } = this.#place
    const value = entries === null ? 'x'.repeat(this.details?.maxBytes ?? 0) : Array(entries).fill(null)
    const { issues } = parsePart(z.object({ [field]: withAnyEntries(schema) }), { [field]: value }, 'body')
    const tooBig = issues.filter((issue) => issue.field === field && issue.code === 'too_big')
    return tooBig.length > 0 ? validationError(tooBig) : this
  }
}

const longestName = 64

/** Returns the schema of a field, without what it says of the entries of a list. */
function withAnyEntries(schema: z.core.$ZodType): z.core.$ZodType {
  const list = schema instanceof z.ZodOptional ? schema.unwrap() : schema
  return list instanceof z.ZodArray ? list.clone({ ...list.def, element: z.unknown() }) : schema
}
