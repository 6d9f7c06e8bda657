import { limits, type MessageErrorCode } from '@msgctl/contract'
import { placeholdersOf, renderTemplate, type Variables } from '../messages/template.ts'

/** One person of a campaign: digits, and the values for the placeholders. */
export interface Recipient {
  readonly phone: string
  readonly variables: Variables
}

/** A recipient as the contract parses it. */
interface GivenRecipient {
  readonly phone: string
  readonly variables?: Variables | undefined
}

/** Each number once, as it came first, and how many were dropped. */
export function withoutDuplicates(given: readonly GivenRecipient[]): { unique: Recipient[]; duplicates: number } {
  const byPhone = new Map<string, Recipient>()
  for (const { phone, variables = {} } of given) if (!byPhone.has(phone)) byPhone.set(phone, { phone, variables })
  return { unique: [...byPhone.values()], duplicates: given.length - byPhone.size }
}

/** How many recipients lack a value for each placeholder of the template; placeholders that all have are left out. */
export function missingVariables(
  template: string,
  recipients: readonly Recipient[],
): { key: string; recipients: number }[] {
  return placeholdersOf(template).flatMap((key) => {
    const lacking = recipients.filter(({ variables }) => !Object.hasOwn(variables, key)).length
    return lacking > 0 ? [{ key, recipients: lacking }] : []
  })
}

/** The text of one recipient, or why it cannot be a message. */
export type Rendered =
  | { readonly text: string; readonly failure: null }
  | { readonly text: string; readonly failure: { readonly code: MessageErrorCode; readonly error: string } }

/** Why nobody writes to a recipient who asked for that. */
export const optedOut = {
  code: 'RECIPIENT_OPTED_OUT',
  error: 'the recipient asked not to get campaigns',
} as const

const empty = { code: 'MESSAGE_EMPTY', error: 'the text is empty once its placeholders are filled' } as const
const tooLong = {
  code: 'MESSAGE_TOO_LONG',
  error: `the text is longer than ${limits.message} characters once its placeholders are filled`,
} as const

/** Fills the template for one recipient. A text that is too long is cut to what a message may have. */
export function renderFor(template: string, { variables }: Recipient): Rendered {
  const text = renderTemplate(template, variables)
  if (text.trim() === '') return { text: '', failure: empty }
  return text.length > limits.message
    ? { text: text.slice(0, limits.message), failure: tooLong }
    : { text, failure: null }
}
