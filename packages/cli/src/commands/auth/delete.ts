import type { Context } from '../../context.ts'
import { verb } from '../../program.ts'
import { type PasswordOptions, readPassword } from './secret.ts'

interface DeleteOptions extends PasswordOptions {
  readonly code?: string
}

async function remove(context: Context, { code, ...options }: DeleteOptions): Promise<void> {
  await context.confirmTyped('Delete your account in all organizations permanently?', 'delete my account')
  const password = await readPassword(context, 'Password', options)
  await context.asPerson((client) => client.auth.deleteAccount({ password, ...(code !== undefined && { code }) }))
  await context.done({ deleted: true }, 'Your account is deleted.')
}

/** `auth delete`. */
export const deleteVerb = verb(
  'delete',
  'delete your account, which must own no organization',
  remove,
  ['msgctl auth delete'],
  (command) =>
    command
      .option('--password-stdin', 'read the password from stdin')
      .option('--code <code>', 'code of the authenticator, while two-step sign-in is on'),
)
