import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { addVerb, type Run } from '../../program.ts'
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

/** Adds `org transfer` and `org delete`. */
export function registerOwner(org: Command, run: Run): void {
  const passwordOption = ['--password-stdin', 'read the password from stdin'] as const
  const codeOption = ['--code <code>', 'code of the authenticator, while two-step sign-in is on'] as const
  addVerb(
    org,
    'transfer <member>',
    'make another member the owner; you become an admin',
    'msgctl org transfer max@example.com',
  )
    .option(...passwordOption)
    .option(...codeOption)
    .action(run(transfer))
  addVerb(
    org,
    'delete',
    'delete the organization; its data is erased after 7 days',
    'msgctl org delete',
    'msgctl org delete --account',
  )
    .option('--account', 'delete your account too')
    .option(...passwordOption)
    .option(...codeOption)
    .action(run(remove))
}
