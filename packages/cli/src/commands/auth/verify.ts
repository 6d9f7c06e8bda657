import type { Context } from '../../context.ts'
import { verb } from '../../program.ts'
import { tokenFrom } from './link.ts'

async function verify(context: Context, link: string | undefined): Promise<void> {
  if (link === undefined) {
    await context.asPerson((client) => client.auth.sendVerification())
    return context.done({ mailed: true }, 'A link was mailed to your address. Then: msgctl auth verify LINK')
  }
  const client = await context.visitor()
  await client.auth.verifyEmail({ token: tokenFrom(link) })
  await context.done({ verified: true }, 'The e-mail address is confirmed.')
}

/** `auth verify`. */
export const verifyVerb = verb(
  'verify [link]',
  'confirm your e-mail address by the link of a mail; without a link, request one',
  verify,
  ['msgctl auth verify', "msgctl auth verify 'https://example.com/account#verify=...'"],
)
