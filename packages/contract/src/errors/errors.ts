import type * as z from 'zod'
import { errorDetails } from './error-details.ts'
import { errorMeanings } from './error-meanings.ts'
import { type ErrorCode, errorTable } from './error-table.ts'

export * from './error-details.ts'
export * from './error-meanings.ts'
export * from './error-table.ts'

type DetailsSchema<C extends ErrorCode> = C extends keyof typeof errorDetails ? (typeof errorDetails)[C] : undefined

/** Every code: HTTP status, meaning, retry class, exit class and the schema of its details (specification, "Errors"). */
export type Errors = {
  readonly [C in ErrorCode]: (typeof errorTable)[C] & {
    /** The specification's words for the code. */
    readonly meaning: string
    /** The schema of `details`; codes without one carry no details. */
    readonly details: DetailsSchema<C>
  }
}

function joined(): Errors {
  const details: Partial<Record<ErrorCode, z.ZodType>> = errorDetails
  const entries = (Object.keys(errorTable) as ErrorCode[]).map((code) => {
    return [code, { ...errorTable[code], meaning: errorMeanings[code], details: details[code] }]
  })
  return Object.fromEntries(entries)
}

/** The catalogue. Its plain facts stand in `error-table.ts`, which clients carry without the schemas. */
export const errors: Errors = joined()

/** The `details` of one code; codes without a schema carry none. */
export type Details<C extends ErrorCode> = C extends keyof typeof errorDetails
  ? z.output<(typeof errorDetails)[C]>
  : undefined
