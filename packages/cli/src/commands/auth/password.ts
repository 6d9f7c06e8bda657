import type { Context } from '../../context.ts'
import { askSecret } from '../../input/prompt.ts'
import { readLine } from '../../input/read-input.ts'
import { verb, verbs } from '../../program.ts'
import { tokenFrom } from './link.ts'
import { maxSecretBytes, type PasswordOptions, readPassword } from './secret.ts'

const fromStdin = ['--password-stdin', 'read the password from stdin'] as const

async function change(context: Context, { passwordStdin }: PasswordOptions): Promise<void> {
  const [currentPassword, newPassword] = passwordStdin ? await readBoth(context) : await askBoth(context)
  const { ended } = await context.asPerson((client) =>
    client.auth.changePassword({ currentPassword: currentPassword ?? '', newPassword: newPassword ?? '' }),
  )
  await context.print.record({ ended }, [{ field: 'ended', title: 'Other sessions ended' }])
}

async function readBoth({ host }: Context): Promise<string[]> {
  return (await readLine(host, maxSecretBytes)).split(/\r?\n/)
}

async function askBoth({ host }: Context): Promise<string[]> {
  const instead = 'Pass both passwords on stdin with --password-stdin, one a line.'
  const current = await askSecret(host, 'Current password', instead)
  return [current, await askSecret(host, 'New password', instead)]
}

async function forgot(context: Context, email: string): Promise<void> {
  const client = await context.visitor()
  await client.auth.forgotPassword({ email })
  await context.done({ email }, `If ${email} is known, a link was mailed to it. Then: msgctl auth reset LINK`)
}

async function reset(context: Context, link: string, options: PasswordOptions): Promise<void> {
  const password = await readPassword(context, 'New password', options)
  const client = await context.visitor()
  await client.auth.resetPassword({ token: tokenFrom(link), password })
  await context.done(
    { reset: true },
    'The new password is set, and all sessions and AI connections have ended. Sign in with msgctl login.',
  )
}

/** `auth password`, `auth forgot` and `auth reset`. */
export const passwordVerbs = verbs(
  verb(
    'password',
    'change your password, and end your other sessions and your AI connections',
    change,
    ['msgctl auth password', 'msgctl auth password --password-stdin < passwords.txt'],
    (command) => command.option('--password-stdin', 'read the current and the new password from stdin, one a line'),
  ),
  verb('forgot <email>', 'request a link that sets a new password', forgot, ['msgctl auth forgot ada@example.com']),
  verb(
    'reset <link>',
    'set a new password by the link of a mail',
    reset,
    [
      "msgctl auth reset 'https://example.com/account#reset=...'",
      "msgctl auth reset 'https://example.com/account#reset=...' --password-stdin < password.txt",
    ],
    (command) => command.option(...fromStdin),
  ),
)
