import * as z from 'zod'
import * as cast from '../examples/cast.ts'
import { piped } from '../examples/shell.ts'
import { named, ok } from '../model/envelope.ts'
import { containerId, count, phoneText } from '../model/fields.ts'
import { limits } from '../model/limits.ts'
import { route } from '../route.ts'

const validNumber = named('ValidRecipient', 'A phone number that can be written to.', {
  phone: z.string().describe('Digits, or the `@lid` id of the request.'),
  chatId: z
    .string()
    .describe(
      "The network's own address of the recipient: digits with `@c.us`, or a `@lid` id; empty if it was not checked.",
    ),
})

const invalidNumber = named('InvalidRecipient', 'A phone number that cannot be written to, and why.', {
  phone: z
    .string()
    .describe(`The number as it was sent. Of a longer text, the first ${limits.invalidPhone} characters.`),
  reason: z.string().describe('Why, in words.'),
  code: z.enum(['invalid_format', 'not_on_network']).describe('Why, as a stable word.'),
})

/** Checks of recipients. */
export const recipients = {
  /**
   * Cleans a list of up to 10,000 numbers: removes duplicates, checks the format, then checks them on the network for
   * at most 25 seconds. Numbers left unchecked are valid with an empty chatId. Needs Notify, Developer or Connect.
   */
  validate: route('POST /recipients/validate', {
    summary: 'Clean a list of up to 10,000 numbers',
    access: { feature: 'batch', keys: 'any' },
    body: z.object({
      phones: z.array(phoneText).min(1).max(limits.validateRecipients).describe('1 to 10,000 numbers or `@lid` ids.'),
      containerId,
    }),
    response: ok({
      total: count('Numbers without duplicates: valid plus invalid.'),
      valid: count('Valid numbers.'),
      invalid: count('Invalid numbers.'),
      validNumbers: z.array(validNumber).describe('The valid numbers.'),
      invalidNumbers: z.array(invalidNumber).describe('The invalid numbers.'),
    }),
    errors: ['NO_SESSION_CONFIGURED', 'NOT_FOUND'],
    bulk: true,
    // The service queries the network for up to 25 s before it responds.
    reads: true,
    timeoutMs: 60_000,
    example: {
      input: { phones: [cast.jane.typed, '+1 (202) 555-0101', '12'] },
      output: {
        total: 3,
        valid: 1,
        invalid: 2,
        validNumbers: [{ phone: cast.jane.phone, chatId: `${cast.jane.phone}@c.us` }],
        invalidNumbers: [
          { phone: '+1 (202) 555-0101', reason: 'The number is not on the network.', code: 'not_on_network' },
          { phone: '12', reason: 'This is not an international number.', code: 'invalid_format' },
        ],
      },
    },
    msgctl: piped(`${cast.jane.typed}\n+1 (202) 555-0101\n12`, 'msgctl validate --file -'),
  }),
}
