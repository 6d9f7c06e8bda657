import { invalidField } from '#platform/errors.ts'

/** Throws VALIDATION_ERROR on `field` when a new password is one of the names that others know. */
export function requireUnguessable(field: string, password: string, names: readonly string[]): void {
  const isName = names.some((name) => name.trim().toLowerCase() === password.trim().toLowerCase())
  if (isName) throw invalidField(field, 'must not be your e-mail address or a name')
}
