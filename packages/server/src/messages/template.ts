import { placeholder, variableKey } from '@msgctl/contract'

/** The values of one recipient, by key in the contract's `variableKey` form, as its schema parses them. */
export type Variables = Readonly<Record<string, string>>

/**
 * Fills the placeholders of a template, in one pass: a value that looks like a placeholder stays as it is. What has no
 * value becomes an empty string. Keys are compared trimmed and in NFC, in any language.
 */
export function renderTemplate(template: string, variables: Variables): string {
  return template.replace(placeholder, (_whole, key: string) => filled(variables, variableKey(key)))
}

/** The keys of a template's placeholders, each once, in the order of their first appearance. */
export function placeholdersOf(template: string): string[] {
  return [...new Set(Array.from(template.matchAll(placeholder), ([, key = '']) => variableKey(key)))]
}

function filled(variables: Variables, key: string): string {
  return Object.hasOwn(variables, key) ? (variables[key] ?? '') : ''
}
