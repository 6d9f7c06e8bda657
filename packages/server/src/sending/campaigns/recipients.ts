import { limits, type MessageErrorCode } from '@msgctl/contract'
import { maxIssues } from '@msgctl/contract/issues'
import { yielding } from '#platform/concurrency/yielding.ts'
import { invalidFields } from '#platform/errors.ts'
import type { Template, Variables } from '#sending/messages/template.ts'

/** A recipient of a campaign: the digits of the number, and the values of the placeholders. */
export interface Recipient {
  readonly phone: string
  readonly variables: Variables
}

/** A recipient as the contract parses it. */
interface GivenRecipient {
  readonly phone: string
  readonly variables?: Variables | undefined
}

/** Returns the first recipient with each number, and how many others were dropped. */
export function removeDuplicates(given: readonly GivenRecipient[]): { unique: Recipient[]; duplicates: number } {
  const byPhone = new Map<string, Recipient>()
  for (const { phone, variables = {} } of given) if (!byPhone.has(phone)) byPhone.set(phone, { phone, variables })
  return { unique: [...byPhone.values()], duplicates: given.length - byPhone.size }
}

/**
 * Throws VALIDATION_ERROR when recipients lack the value of a placeholder. It names each as `recipients.N.variables`,
 * at most {@link maxIssues} of them. Duplicates are dropped later, so they are not checked.
 */
export function requireVariables({ keys }: Template, given: readonly GivenRecipient[]): void {
  const faults = new Map<string, string>()
  const seen = new Set<string>()
  for (const [n, { phone, variables = {} }] of given.entries()) {
    const missing = seen.has(phone) ? undefined : keys.find((key) => !Object.hasOwn(variables, key))
    seen.add(phone)
    if (missing === undefined) continue
    faults.set(`recipients.${n}.variables`, `must have a value for {{${missing}}}`)
    if (faults.size === maxIssues) break
  }
  if (faults.size > 0) throw missingValues(faults)
}

function missingValues(faults: ReadonlyMap<string, string>) {
  return invalidFields(
    'Some recipients have no value for a placeholder. Add the values, or set strictVariables to false.',
    faults,
  )
}

/** A placeholder, and how many recipients have no value for it. */
export interface MissingVariable {
  readonly key: string
  readonly recipients: number
}

/** Throws VALIDATION_ERROR for `template` when recipients that are stored lack the value of a placeholder. */
export function requireValuesOfStored(missing: readonly MissingVariable[]): void {
  const lacks = missing.map(({ key, recipients }) => `{{${key}}} (${recipients})`).join(', ')
  if (lacks === '') return
  throw missingValues(new Map([['template', `must have a value of every recipient; these lack one: ${lacks}`]]))
}

/** Counts the recipients that lack a value, for each placeholder that is not given for all of them. */
export async function missingVariables(
  { keys }: Template,
  recipients: readonly Recipient[],
): Promise<MissingVariable[]> {
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

/** The text for one recipient, with the reason when it cannot be a message. */
export type Rendered =
  | { readonly text: string; readonly failure: null }
  | { readonly text: string; readonly failure: MessageErrorCode }

/**
 * Fills the template for one recipient. A text that is too long is cut to the limit of a message while it is built,
 * because values can make it two hundred times as long.
 */
export function renderFor(template: Template, { variables }: Recipient): Rendered {
  if (template.isBlankFor(variables)) return { text: '', failure: 'MESSAGE_EMPTY' }
  const text = template.fill(variables, limits.message)
  return { text, failure: template.lengthFor(variables) > limits.message ? 'MESSAGE_TOO_LONG' : null }
}
