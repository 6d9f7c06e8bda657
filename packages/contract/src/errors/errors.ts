import type * as z from 'zod'
import { errorDetails } from './error-details.ts'
import { errorMeanings } from './error-meanings.ts'
import { type ErrorCode, errorTable } from './error-table.ts'

export * from './error-details.ts'
export * from './error-meanings.ts'
export * from './error-table.ts'

type DetailsSchema<C extends ErrorCode> = C extends keyof typeof errorDetails ? (typeof errorDetails)[C] : undefined

/** Every code with its status, meaning, retry class, exit class and details schema (specification, "Errors"). */
export type Errors = {
  readonly [C in ErrorCode]: (typeof errorTable)[C] & {
    /** The meaning in the specification's words. */
    readonly meaning: string
    /** The schema of `details`, or undefined for a code that carries none. */
    readonly details: DetailsSchema<C>
  }
}

function joinErrors(): Errors {
  const details: Partial<Record<ErrorCode, z.ZodType>> = errorDetails
  const entries = (Object.keys(errorTable) as ErrorCode[]).map((code) => {
    return [code, { ...errorTable[code], meaning: errorMeanings[code], details: details[code] }]
  })
  return Object.fromEntries(entries)
}

/** The error catalogue. `error-table.ts` has the same facts without schemas, for clients. */
export const errors: Errors = joinErrors()

/** The type of `details` of one code; undefined for codes that carry none. */
export type Details<C extends ErrorCode> = C extends keyof typeof errorDetails
  ? z.output<(typeof errorDetails)[C]>
  : undefined
