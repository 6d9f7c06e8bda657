import { placeholder, variableKey } from '@msgctl/contract/placeholders'
import { usageFailure } from '../errors/exit-codes.ts'

/** Returns the names of the placeholders in a text, each once. */
function placeholdersIn(text: string): string[] {
  return [...new Set([...text.matchAll(placeholder)].map(([, name = '']) => variableKey(name)))]
}

export const literalOption = ['--literal', 'send {{...}} as it is'] as const

/** Throws a usage error when a text that is sent as it is contains a placeholder, unless `literal`. */
export function requireNoPlaceholder(text: string, literal: boolean | undefined, advice: string): void {
  const [name] = placeholdersIn(text)
  if (literal || name === undefined) return
  throw usageFailure(
    `The text contains the placeholder {{${name}}}, which this command does not fill. Nothing was sent.`,
    advice,
  )
}

/** How many recipients lack the value of a placeholder. */
export interface MissingValue {
  readonly name: string
  readonly recipients: number
}

/** Returns the placeholders without a value, with the number of recipients that lack it. */
export function missingValues(
  template: string,
  recipients: readonly { readonly variables?: Readonly<Record<string, string>> | undefined }[],
): MissingValue[] {
  return placeholdersIn(template).flatMap((name) => {
    const lacking = recipients.filter(({ variables = {} }) => {
      const key = Object.keys(variables).find((each) => variableKey(each) === name)
      return key === undefined || variables[key] === ''
    }).length
    return lacking === 0 ? [] : [{ name, recipients: lacking }]
  })
}

/** Formats missing values: `name (12 recipients), city (1 recipient)`. */
export function shownMissing(missing: readonly MissingValue[]): string {
  return missing
    .map(({ name, recipients }) => `${name} (${recipients === 1 ? '1 recipient' : `${recipients} recipients`})`)
    .join(', ')
}
