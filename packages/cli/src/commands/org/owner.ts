import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { verb, verbs } from '../../program.ts'
import { type PasswordOptions, readPassword } from '../auth/secret.ts'
import { findMember } from '../team/reference.ts'
import { recordColumns } from './list.ts'

interface StepOptions extends PasswordOptions {
  readonly code?: string
}

interface DeleteOptions extends StepOptions {
  readonly account?: true
}

const code = (given: string | undefined) => given !== undefined && { code: given }

async function transfer(context: Context, text: string, options: StepOptions): Promise<void> {
  const { organization } = await context.asPerson(async (client) => {
    const { id: userId, name, email } = await findMember(client, text)
    const { organization: own } = await client.organization.get()
    await context.confirmTyped(`Make ${name} (${email}) the owner of "${own.name}"?`, own.name)
    const password = await readPassword(context, 'Password', options)
    return client.organization.transfer({ userId, password, ...code(options.code) })
  })
  await context.print.record(organization, recordColumns)
}

async function remove(context: Context, options: DeleteOptions): Promise<void> {
  const { name, erasedAfter } = await context.asPerson(async (client) => {
    const { organization: own } = await client.organization.get()
    const what = options.account ? `"${own.name}" and your account` : `"${own.name}"`
    await context.confirmTyped(`Delete ${what} with all numbers, messages and contacts?`, own.name)
    const password = await readPassword(context, 'Password', options)
    const deleteAccount = options.account && ({ deleteAccount: true } as const)
    const answer = await client.organization.delete({
      name: own.name,
      password,
      ...code(options.code),
      ...deleteAccount,
    })
    return { name: own.name, erasedAfter: answer.erasedAfter }
  })
  await context.done({ name, deleted: true, erasedAfter }, `Deleted ${name}. Its data is erased after ${erasedAfter}.`)
}

const confirmation = (command: Command) =>
  command
    .option('--password-stdin', 'read the password from stdin')
    .option('--code <code>', 'code of the authenticator, while two-step sign-in is on')

/** `org transfer` and `org delete`. */
export const ownerVerbs = verbs(
  verb(
    'transfer <member>',
    'make another member the owner; you become an admin',
    transfer,
    ['msgctl org transfer max@example.com'],
    confirmation,
  ),
  verb(
    'delete',
    'delete the organization; its data is erased after 7 days',
    remove,
    ['msgctl org delete', 'msgctl org delete --account'],
    (command) => confirmation(command.option('--account', 'delete your account too')),
  ),
)
