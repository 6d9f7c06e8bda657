import * as z from 'zod'
import { limits } from './limits.ts'

/** Separators people type into phone numbers (specification, "Conventions"). */
const separators = /[\s\-.()[\]]/g
const international = /^[1-9]\d{6,14}$/
const networkId = /^\d{1,32}@lid$/

/**
 * The digits of an international number, or the network id, or null when the text is neither. Spaces, dashes, dots,
 * brackets and one leading + are dropped.
 */
export function normalizePhone(text: string, options: { lid: boolean }): string | null {
  const bare = text.replace(separators, '').replace(/^\+/, '')
  if (international.test(bare)) return bare
  return options.lid && networkId.test(bare) ? bare : null
}

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

/** A person to write to: an international number, or a network id ending in `@lid`. Answers carry digits or the id. */
export const phone = phoneField(limits.phone.min, limits.phone.max, true).describe(
  'International number (+ and separators are dropped) or a network id ending in @lid.',
)

/** An international number of 8 to 20 characters; a network id is refused. */
export const phoneNumber = phoneField(limits.phoneNumber.min, limits.phoneNumber.max, false).describe(
  'International number of 8 to 20 characters; a network id is not accepted.',
)

/** One entry of a list of phones: any text up to 64 characters; a bad shape is answered by row, never refused. */
export const phoneText = z.string().max(limits.phone.max)

/** Which of the organization's numbers to use. Ignored with a per-number key. */
export const containerId = z
  .uuid()
  .optional()
  .describe("Which of the organization's numbers to use. Default: the default number, else a connected one.")

export const id = z.uuid()
export const timestamp = z.iso.datetime().describe('ISO 8601 UTC.')
/** An instant from outside, with Z or any offset. */
export const instant = z.iso.datetime({ offset: true })
export const messageText = z.string().min(1).max(limits.message)
export const priority = z.enum(['high', 'normal', 'low'])
export const clientReference = z
  .string()
  .min(1)
  .max(limits.clientReference)
  .optional()
  .describe('Your own reference, echoed in GET /messages and in every event of this message.')

/** A page number and size from the query. */
export function pageQuery(defaultLimit: number, maxLimit: number) {
  return {
    page: z.coerce.number<number>().int().min(1).max(1_000_000).default(1).describe('Page, from 1.'),
    limit: z.coerce
      .number<number>()
      .int()
      .min(1)
      .max(maxLimit)
      .default(defaultLimit)
      .describe(`Rows on a page, at most ${maxLimit}.`),
  }
}
