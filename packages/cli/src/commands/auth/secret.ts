import type { Context } from '../../context.ts'
import { askSecret } from '../../input/prompt.ts'
import { readLine } from '../../input/read-input.ts'

/** The largest input on stdin that holds passwords. */
export const maxSecretBytes = 4096

/** The option that reads a password from stdin. */
export interface PasswordOptions {
  readonly passwordStdin?: true
}

/** Returns a password from stdin or a prompt. */
export async function readPassword(
  { host }: Context,
  question: string,
  { passwordStdin }: PasswordOptions,
): Promise<string> {
  if (passwordStdin) return readLine(host, maxSecretBytes)
  return askSecret(host, question, 'Pass the password on stdin with --password-stdin.')
}
