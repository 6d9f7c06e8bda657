import { saveProfile } from '../../config/config-file.ts'
import { completeSignIn } from '../../config/sign-in.ts'
import type { Context } from '../../context.ts'
import { askSecret, askText } from '../../input/prompt.ts'
import { verb, verbs } from '../../program.ts'
import { tokenFrom } from '../auth/link.ts'
import { type PasswordOptions, readPassword } from '../auth/secret.ts'

interface JoinOptions extends PasswordOptions {
  readonly name?: string
  readonly as?: string
}

async function join(context: Context, link: string, options: JoinOptions): Promise<void> {
  const { host, config, target } = context
  const profile = options.as ?? config.current ?? 'default'
  const token = tokenFrom(link)
  const client = await context.visitor()
  const invitation = await client.auth.invitation({ token })
  if (config.profiles[profile] !== undefined) await context.confirm(`Replace the profile ${profile}?`)
  const name = options.name ?? (invitation.registered ? undefined : await askName(context))
  const question = invitation.registered ? `Password of ${invitation.email}` : 'New password'
  const password = await readPassword(context, question, options)
  const answer = await client.auth.join({ token, password, ...(name !== undefined && { name }) })
  const askCode = () => askSecret(host, 'Code of the authenticator', 'Sign in with msgctl login.')
  const session = await completeSignIn(client, answer, askCode)
  const { email, organization, memberRole } = session.user
  const { baseUrl } = target
  saveProfile(host, profile, { baseUrl, token: session.token, tokenExpiresAt: session.expiresAt, email })
  const record = { profile, organization: organization.name, role: memberRole }
  await context.done(record, `Joined ${organization.name} as ${memberRole}. Stored as profile ${profile}.`)
}

function askName({ host }: Context): Promise<string> {
  return askText(host, 'Your name', '', 'Pass your name with --name.')
}

async function accept(context: Context, link: string): Promise<void> {
  const { organization, role } = await context.asPerson((client) =>
    client.team.acceptInvitation({ token: tokenFrom(link) }),
  )
  const record = { id: organization.id, organization: organization.name, role }
  await context.done(record, `You are ${role} of ${organization.name}. Use it with: msgctl org switch ID`)
}

/** `team join` and `team accept`. */
export const joinVerbs = verbs(
  verb(
    'join <link>',
    'join an organization by the link of an invitation, and sign in',
    join,
    [
      "msgctl team join 'https://example.com/account#join=...'",
      "msgctl team join 'https://example.com/account#join=...' --name Max --password-stdin < password.txt",
    ],
    (command) =>
      command
        .option('--name <name>', 'your name, for a new account')
        .option('--password-stdin', 'read the password from stdin')
        .option('--as <profile>', 'name of the profile to store (default: the current one)'),
  ),
  verb('accept <link>', 'accept an invitation as the signed-in user', accept, [
    "msgctl team accept 'https://example.com/account#join=...'",
  ]),
)
