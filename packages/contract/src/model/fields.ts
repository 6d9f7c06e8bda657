import * as z from 'zod'
import { limits } from './limits.ts'
import { normalizePhone } from './phone.ts'

function phoneField(minimum: number, maximum: number, lid: boolean) {
  const message = lid
    ? 'must be an international number like +12025550100, or an id ending in @lid'
    : 'must be an international number like +12025550100'
  return z
    .string()
    .min(minimum, { error: message })
    .max(maximum)
    .transform((text, context) => {
      const phone = normalizePhone(text, { lid })
      if (phone !== null) return phone
      context.addIssue({ code: 'custom', message, params: { code: 'invalid_phone' } })
      return z.NEVER
    })
}

/** A recipient: an international number or a network id ending in `@lid`. Parsing returns the digits or the id. */
export const phone = phoneField(limits.phone.min, limits.phone.max, true).describe(
  'International number (+ and separators are removed) or a network id ending in `@lid`.',
)

/** An international number of 8 to 20 characters; a network id is rejected. Parsing returns the digits. */
export const phoneNumber = phoneField(limits.phoneNumber.min, limits.phoneNumber.max, false).describe(
  'International number of 8 to 20 characters (+ and separators are removed); a network id is not accepted.',
)

/** One entry of a list of phones: any text. An invalid one is reported in its row and does not reject the list. */
export const phoneText = z.string()

/** A recipient or contact in a response. */
export const person = z.string().describe('Digits of an international number, or a network id ending in `@lid`.')

/** Matches text that a text or JSON column can hold: no NUL, and no half of a surrogate pair. */
const storable = /^[^\0\p{Cs}]*$/u

/** Text of `minimum` to `maximum` characters that can be stored. */
export function text(minimum: number, maximum: number) {
  return (
    z
      .string()
      .min(minimum)
      // Skips the checks below for a text of many megabytes.
      .max(maximum, { abort: true })
      .refine((value) => storable.test(value), 'must not contain NUL or an incomplete character')
  )
}

/** An http or https address. The server checks whether it is public. */
export const httpUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .max(limits.url)
  .refine((value) => storable.test(value), {
    error: 'must not contain NUL or an incomplete character',
    params: { code: 'invalid_url' },
  })

/** A UUID in a request. Parsing returns lower case, so that equal ids are equal texts. */
export const uuid = z.uuid().toLowerCase()

/** Which of the organization's numbers to use. Ignored with a per-number key. */
export const containerId = uuid
  .optional()
  .describe("Which of the organization's numbers to use (default: the default number, else a connected one).")

/** The number whose chats are read, or all of them together. */
export const containerIdOrAll = z
  .union([z.literal('all'), uuid])
  .optional()
  .describe(
    'One of the numbers of the organization, or all for every number. Default: the default number, else a ' +
      'connected one. Ignored with a per-number key.',
  )

/** The number that a message goes through, in a response. */
export const usedContainerId = z.uuid().describe('The number that sends it.')

/** A time in a response. */
export function at(description: string) {
  return z.iso.datetime().describe(`${description} ISO 8601 UTC.`)
}

/** A time in a response, or null. */
export function atOrNull(description: string) {
  return z.iso.datetime().nullable().describe(`${description} ISO 8601 UTC, or null.`)
}

/** A whole number from 0 in a response. */
export function count(description: string) {
  return z.int().min(0).describe(description)
}

/** The text of a message. White space alone is rejected, because no phone shows it. */
export const messageText = text(1, limits.message).regex(/\S/, 'must not be only white space')
export const priority = z.enum(['high', 'normal', 'low'])
export type Priority = z.infer<typeof priority>

export const clientReference = text(1, limits.clientReference)
  .optional()
  .describe('Your own reference, echoed in GET /messages and in every event of this message.')

const planned = text(1, limits.clientReference).nullable().optional()

/** The reference of something that is planned: its messages and their events carry it. */
export const plannedReference = planned.describe(
  'Your own reference, which every message that it sends carries, in GET /messages and in every event.',
)

/** The same in a change. */
export const changedReference = planned.describe(
  'Your own reference of the messages that it sends from now on; null removes it.',
)

/** The same in a record. */
export const storedReference = z.string().nullable().describe('Your own reference, which its messages carry.')

/** A whole number in the query, from `minimum` to `maximum`. */
export function queryInteger(minimum: number, maximum: number) {
  const integer = z.coerce.number<number>().int().min(minimum).max(maximum)
  return z.pipe(z.transform(digitsOnly), integer)
}

/** Returns NaN for a text that is not digits: coercion would also accept 0x10, 1e3 and a blank. */
function digitsOnly(value: number): number {
  return typeof value === 'string' && !/^-?\d+$/.test(value) ? Number.NaN : value
}

/** True or false in the query. */
export const queryBoolean = z.pipe(z.transform(fromWord), z.boolean())

/** Returns the value of the words `true` and `false`, and everything else unchanged. */
function fromWord(value: boolean): boolean {
  const words = new Map<unknown, boolean>([
    ['true', true],
    ['false', false],
  ])
  return words.get(value) ?? value
}

/** The page size in the query; more than `bounds.max` is rejected. */
export function limitQuery(bounds: { readonly default: number; readonly max: number }) {
  return queryInteger(1, bounds.max).default(bounds.default).describe(`Rows per page, up to ${bounds.max}.`)
}

/** The page number and page size in the query (default: 50 rows, at most 100). */
export const pageQuery = {
  page: queryInteger(1, limits.page.last).default(1).describe('Number of the page, from 1.'),
  limit: limitQuery(limits.page),
}

/** The fields of every paged response. */
export const pageOf = {
  total: count('Matching rows on all pages.'),
  page: z.int().min(1).describe('Number of this page, from 1.'),
  limit: z.int().min(1).describe('Rows per page.'),
}

/** A search text in the query. An empty text does not filter. */
export function search(description: string) {
  return text(0, limits.search).optional().describe(description)
}

/** Requires the entries of a list to differ. */
export function unique<T extends z.ZodArray>(list: T): T {
  const allDiffer = (entries: unknown[]) => new Set(entries).size === entries.length
  return list.refine(allDiffer, 'entries must differ from each other').meta({ uniqueItems: true })
}

/**
 * Returns whether a text has a letter or a digit of any script. A pattern of JSON Schema could not say it for every
 * reader.
 */
export function hasLetter(value: string): boolean {
  return /[\p{L}\p{N}]/u.test(value)
}
