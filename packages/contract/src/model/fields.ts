import * as z from 'zod'
import { limits } from './limits.ts'
import { normalizePhone } from './phone.ts'

function phoneField(minimum: number, maximum: number, lid: boolean) {
  return z
    .string()
    .min(minimum)
    .max(maximum)
    .transform((text, context) => {
      const phone = normalizePhone(text, { lid })
      if (phone !== null) return phone
      const message = lid
        ? 'must be an international number like +12025550100, or an id ending in @lid'
        : 'must be an international number like +12025550100'
      context.addIssue({ code: 'custom', message, params: { code: 'invalid_phone' } })
      return z.NEVER
    })
}

/** A person to write to: an international number, or a network id ending in `@lid`. Parsed, it is digits or the id. */
export const phone = phoneField(limits.phone.min, limits.phone.max, true).describe(
  'International number (+ and separators are dropped) or a network id ending in @lid.',
)

/** An international number of 8 to 20 characters as sent; a network id is refused. Parsed, it is digits. */
export const phoneNumber = phoneField(limits.phoneNumber.min, limits.phoneNumber.max, false).describe(
  'International number of 8 to 20 characters (+ and separators are dropped); a network id is not accepted.',
)

/** One entry of a list of phones: any text, bounded by the body alone; a bad one is answered by row, never refused. */
export const phoneText = z.string()

/** A person in an answer. */
export const person = z.string().describe('Digits of an international number, or a network id ending in @lid.')

/** What no database column of text or JSON can hold: the character NUL, and half of a surrogate pair. */
const storable = /^[^\0\p{Cs}]*$/u

/** Text from outside of `minimum` to `maximum` characters, without what cannot be stored. */
export function text(minimum: number, maximum: number) {
  return (
    z
      .string()
      .min(minimum)
      // A text of many megabytes is not looked at any further.
      .max(maximum, { abort: true })
      .refine((value) => storable.test(value), 'must not contain NUL or an incomplete character')
  )
}

/** An http or https address. Whether it is public is judged by the server. */
export const httpUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .max(limits.url)
  .refine((value) => storable.test(value), {
    error: 'must not contain NUL or an incomplete character',
    params: { code: 'invalid_url' },
  })

/** An id from outside, in lower case once parsed, so that equal ids are equal texts. */
export const uuid = z.uuid().toLowerCase()

/** Which of the organization's numbers to use. Ignored with a per-number key. */
export const containerId = uuid
  .optional()
  .describe("Which of the organization's numbers to use. Default: the default number, else a connected one.")

/** The number something went through, in an answer. */
export const usedContainerId = z.uuid().describe('The number it goes through.')

/** A point in time in an answer, described by `what` happened. */
export function at(what: string) {
  return z.iso.datetime().describe(`${what} ISO 8601 UTC.`)
}

/** A point in time in an answer that may not have come yet. */
export function atOrNull(what: string) {
  return z.iso.datetime().nullable().describe(`${what} ISO 8601 UTC, or null.`)
}

/** A whole number from 0 in an answer. */
export function count(what: string) {
  return z.int().min(0).describe(what)
}

/** The text of a message. White space alone is refused everywhere: no phone would show it. */
export const messageText = text(1, limits.message).regex(/\S/, 'must not be only white space')
export const priority = z.enum(['high', 'normal', 'low'])
export type Priority = z.infer<typeof priority>

export const clientReference = text(1, limits.clientReference)
  .optional()
  .describe('Your own reference, echoed in GET /messages and in every event of this message.')

/** A whole number from the query, between `minimum` and `maximum`. */
export function queryInteger(minimum: number, maximum: number) {
  const integer = z.coerce.number<number>().int().min(minimum).max(maximum)
  return z.pipe(z.transform(digitsOnly), integer)
}

/** Leaves what is written in digits; JavaScript would also read 0x10, 1e3 and a blank as numbers. */
function digitsOnly(value: number): number {
  return typeof value === 'string' && !/^-?\d+$/.test(value) ? Number.NaN : value
}

/** The size of a page from the query; more than `maximum` is refused. */
export function limitQuery(bounds: { readonly default: number; readonly max: number }) {
  return queryInteger(1, bounds.max).default(bounds.default).describe(`Rows at most, up to ${bounds.max}.`)
}

/** A page number and size from the query: 50 rows, at most 100. */
export const pageQuery = {
  page: queryInteger(1, limits.page.last).default(1).describe('Page, from 1.'),
  limit: limitQuery(limits.page),
}

/** What every paged answer says about its page. */
export const pageOf = {
  total: count('Rows that match, on all pages.'),
  page: z.int().min(1).describe('This page, from 1.'),
  limit: z.int().min(1).describe('Rows on a page.'),
}

/** Words to look for, from the query. An empty text looks for nothing. */
export function search(what: string) {
  return text(0, limits.search).optional().describe(what)
}

/** A list whose entries must differ. */
export function unique<T extends z.ZodArray>(list: T): T {
  const differing = (entries: unknown[]) => new Set(entries).size === entries.length
  return list.refine(differing, 'entries must differ from each other').meta({ uniqueItems: true })
}
