import { Argument } from 'commander'
import type { Context } from '../../context.ts'
import { defineColumns } from '../../output/columns.ts'
import { verb, verbs } from '../../program.ts'
import { findMember } from './reference.ts'

const columns = defineColumns('id, name, email as E-mail, role')

async function changeRole(context: Context, text: string, role: 'admin' | 'member'): Promise<void> {
  const { member } = await context.asPerson(async (client) => {
    const { id: userId } = await findMember(client, text)
    return client.team.changeRole({ userId, role })
  })
  await context.print.record(member, columns)
}

async function remove(context: Context, text: string): Promise<void> {
  const member = await context.asPerson(async (client) => {
    const found = await findMember(client, text)
    await context.confirm(`Remove ${found.name} (${found.email}) from the organization?`)
    await client.team.remove({ userId: found.id })
    return found
  })
  await context.done({ id: member.id, removed: true }, `${member.email} is no longer a member.`)
}

async function leave(context: Context): Promise<void> {
  const name = await context.asPerson(async (client) => {
    const { organization } = await client.organization.get()
    await context.confirm(`Leave ${organization.name}?`)
    await client.team.leave()
    return organization.name
  })
  await context.done({ left: true }, `You have left ${name}. Sign in to another organization with msgctl login.`)
}

/** `team role`, `team remove` and `team leave`. */
export const membersVerbs = verbs(
  verb(
    'role <member>',
    'make a member an admin, or an admin a member',
    changeRole,
    ['msgctl team role max@example.com admin'],
    (command) => command.addArgument(new Argument('<role>', 'admin or member').choices(['admin', 'member'])),
  ),
  verb('remove <member>', 'remove a member, by id, e-mail address or name', remove, [
    'msgctl team remove max@example.com',
    'msgctl team remove max@example.com --yes',
  ]),
  verb('leave', 'leave the organization', leave, ['msgctl team leave']),
)
