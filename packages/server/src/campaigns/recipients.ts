import { limits, type MessageErrorCode } from '@msgctl/contract'
import { yielding } from '../concurrency/yielding.ts'
import type { Template, Variables } from '../messages/template.ts'

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
export async function missingVariables(
  { keys }: Template,
  recipients: readonly Recipient[],
): Promise<{ key: string; recipients: number }[]> {
  const given = new Map<string, number>()
  const pause = yielding()
  for (const { variables } of recipients) {
    for (const key of Object.keys(variables)) given.set(key, (given.get(key) ?? 0) + 1)
    await pause()
  }
  return keys.flatMap((key) => {
    const lacking = recipients.length - (given.get(key) ?? 0)
    return lacking > 0 ? [{ key, recipients: lacking }] : []
  })
}

/** Returns the length of the longest text. */
export async function longestText(template: Template, recipients: readonly Recipient[]): Promise<number> {
  const pause = yielding()
  let longest = 0
  for (const { variables } of recipients) {
    longest = Math.max(longest, template.lengthFor(variables))
    await pause()
  }
  return longest
}

/** The text of one recipient, or why it cannot be a message. */
export type Rendered =
  | { readonly text: string; readonly failure: null }
  | { readonly text: string; readonly failure: MessageErrorCode }

/**
 * Fills the template for one recipient. A text that is too long is cut to what a message may have, and no more of it is
 * built: values may make it two hundred times as long.
 */
export function renderFor(template: Template, { variables }: Recipient): Rendered {
  if (template.isBlankFor(variables)) return { text: '', failure: 'MESSAGE_EMPTY' }
  const text = template.fill(variables, limits.message)
  return { text, failure: template.lengthFor(variables) > limits.message ? 'MESSAGE_TOO_LONG' : null }
}
