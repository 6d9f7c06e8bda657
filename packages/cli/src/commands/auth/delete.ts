import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { addVerb, type Run } from '../../program.ts'
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

/** Adds `auth delete`. */
export function registerDelete(auth: Command, run: Run): void {
  addVerb(auth, 'delete', 'delete your account, which must own no organization', 'msgctl auth delete')
    .option('--password-stdin', 'read the password from stdin')
    .option('--code <code>', 'code of the authenticator, while two-step sign-in is on')
    .action(run(remove))
}
