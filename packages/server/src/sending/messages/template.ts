import { placeholder, variableKey } from '@msgctl/contract'

/** The values of one recipient, by key in the contract's `variableKey` form, as its schema parses them. */
export type Variables = Readonly<Record<string, string>>

/** Returns the characters of all values together. */
export function lengthOfVariables(variables: Variables): number {
  return Object.values(variables).reduce((sum, value) => sum + value.length, 0)
}

/** A parsed template, which is filled for many recipients. */
export interface Template {
  /** The keys of its placeholders, each once, in the order of their first appearance. */
  readonly keys: readonly string[]
  /** Returns the length of the filled text, without building it. */
  lengthFor(variables: Variables): number
  /** Returns whether the filled text would be only white space. */
  isBlankFor(variables: Variables): boolean
  /**
   * Returns the filled text, or its first `atMost` characters (default: all). A value that looks like a placeholder is
   * not filled again; a missing value becomes an empty string.
   */
  fill(variables: Variables, atMost?: number): string
}

/** Parses a template. Keys are compared trimmed and in NFC, in any language. */
export function parseTemplate(text: string): Template {
  // Even items are literals; odd ones are the keys that the capturing group matched.
  const parts = text.split(placeholder).map((part, n) => (n % 2 === 0 ? part : variableKey(part)))
  const literals = parts.filter((_, n) => n % 2 === 0)
  const uses = new Map<string, number>()
  for (const [n, key] of parts.entries()) if (n % 2 === 1) uses.set(key, (uses.get(key) ?? 0) + 1)
  const keys = [...uses.keys()]
  const bareLength = literals.reduce((sum, literal) => sum + literal.length, 0)
  const bareBlank = literals.every(isBlank)
  return {
    keys,
    lengthFor(variables) {
      let length = bareLength
      for (const key of Object.keys(variables)) length += (uses.get(key) ?? 0) * valueFor(variables, key).length
      return length
    },
    isBlankFor: (variables) => bareBlank && keys.every((key) => isBlank(valueFor(variables, key))),
    fill(variables, atMost = Number.POSITIVE_INFINITY) {
      let filled = ''
      for (let n = 0; n < parts.length && filled.length < atMost; n += 1) {
        const part = parts[n] ?? ''
        filled += n % 2 === 0 ? part : valueFor(variables, part)
      }
      return filled.slice(0, atMost)
    },
  }
}

/** Fills a template once, as {@link parseTemplate} does. */
export function renderTemplate(template: string, variables: Variables): string {
  return parseTemplate(template).fill(variables)
}

function valueFor(variables: Variables, key: string): string {
  return Object.hasOwn(variables, key) ? (variables[key] ?? '') : ''
}

function isBlank(text: string): boolean {
  return text.trim() === ''
}
