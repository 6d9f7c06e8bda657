import * as z from 'zod'
import { endpoints } from '../endpoints.ts'
import { ok } from '../model/envelope.ts'
import { containerId, count, phoneText } from '../model/fields.ts'
import { limits } from '../model/limits.ts'
import { type Covers, route } from '../route.ts'

const validNumber = z.object({
  phone: z.string().describe('Digits, or the `@lid` id that was given.'),
  chatId: z
    .string()
    .describe(
      "The network's own address of the person: digits with `@c.us`, or a `@lid` id; empty when it could not be asked.",
    ),
})

const invalidNumber = z.object({
  phone: z.string().describe('The number as it was given.'),
  reason: z.string().describe('Why, for a person.'),
  code: z.enum(['invalid_format', 'not_on_network']).describe('Why, as a stable word.'),
})

export const recipients = {
  /**
   * Cleans a list of up to 10,000 numbers: drops duplicates, checks the shape, then asks the network for at most 25
   * seconds; who was not asked by then is listed valid with an empty chatId. Needs Notify, Developer or Connect.
   */
  validate: route(endpoints.recipients.validate, {
    summary: 'Clean a list of up to 10,000 numbers',
    access: { feature: 'batch', keys: 'any' },
    body: z.object({
      phones: z.array(phoneText).min(1).max(limits.validateRecipients).describe('1 to 10,000 numbers or `@lid` ids.'),
      containerId,
    }),
    status: 200,
    response: ok({
      total: count('Numbers after duplicates were dropped: valid plus invalid.'),
      valid: count('How many are valid.'),
      invalid: count('How many are not.'),
      validNumbers: z.array(validNumber).describe('The valid ones.'),
      invalidNumbers: z.array(invalidNumber).describe('The others.'),
    }),
    errors: ['NO_SESSION_CONFIGURED', 'NOT_FOUND'],
    bulk: true,
  }),
} satisfies Covers<typeof endpoints.recipients>
