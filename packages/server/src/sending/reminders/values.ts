import { maxIssues } from '@msgctl/contract/issues'
import { invalidFields } from '#platform/errors.ts'
import { parseTemplate, type Variables } from '#sending/messages/template.ts'

function faultOf(keys: readonly string[], variables: Variables): string | undefined {
  const missing = keys.filter((key) => !Object.hasOwn(variables, key))
  return missing.length === 0 ? undefined : `must have a value for ${missing.map((key) => `{{${key}}}`).join(', ')}`
}

function missingValues(faults: ReadonlyMap<string, string>) {
  return invalidFields(
    'The text has a placeholder without a value. Add the value, or set strictVariables to false.',
    faults,
  )
}

/** Throws VALIDATION_ERROR when a placeholder of the text has no value. */
export function requireValues(text: string, variables: Variables = {}): void {
  const fault = faultOf(parseTemplate(text).keys, variables)
  if (fault !== undefined) throw missingValues(new Map([['variables', fault]]))
}

/** Does the same for the rows of an import: it names each as `rows.N.variables`, at most {@link maxIssues} of them. */
export function requireValuesOfRows(
  text: string,
  rows: readonly { readonly variables?: Variables | undefined }[],
): void {
  const { keys } = parseTemplate(text)
  const faults = new Map<string, string>()
  for (const [n, { variables = {} }] of rows.entries()) {
    const fault = faultOf(keys, variables)
    if (fault !== undefined) faults.set(`rows.${n}.variables`, fault)
    if (faults.size === maxIssues) break
  }
  if (faults.size > 0) throw missingValues(faults)
}
