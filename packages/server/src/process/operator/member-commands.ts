import type { Role } from '@msgctl/contract'
import { Option } from 'commander'
import { resetPassword } from '#people/auth/reset-password.ts'
import { addMember, changeRole, type GivenRole, removeMember } from '#people/organizations/members.ts'
import { argument } from './arguments.ts'
import type { OperatorCommand } from './command.ts'
import { resetLink } from './people.ts'
import { joinedText, passwordText } from './print.ts'

interface AddOptions {
  readonly role: GivenRole
  readonly name?: string
  readonly invite?: boolean
}

/** Adds `org member add|role|password|remove`. */
export function addMemberCommands(org: OperatorCommand): void {
  const member = org.command('member').description('manage the members of an organization')
  addAddCommand(member)
  memberCommand(member, 'role', 'change the role of a member')
    .argument('<role>', 'admin or member', argument.role)
    .runs(
      async ({ db }, id: string, email: string, role: Role) => {
        await changeRole(db, id, email, role)
        return { email, role }
      },
      ({ email, role }) => `${email} is ${role} now.\n`,
    )
  memberCommand(member, 'password', 'set a new password for a member and end all their sessions').runs(
    ({ db }, id: string, email: string) => resetPassword(db, id, email),
    passwordText,
  )
  memberCommand(member, 'remove', 'remove a member and end their sessions').runs(
    async ({ db }, id: string, email: string) => {
      await removeMember(db, id, email)
      return { email, removed: true }
    },
    ({ email }) => `${email} is no longer a member.\n`,
  )
}

/** Adds a command about one member of one organization. */
function memberCommand(member: OperatorCommand, name: string, description: string): OperatorCommand {
  return member
    .command(name)
    .description(description)
    .argument('<id>', 'id of the organization', argument.id)
    .argument('<email>', 'e-mail address of the member', argument.email)
}

function addAddCommand(member: OperatorCommand): void {
  memberCommand(member, 'add', 'add a person; a new person gets a password')
    .addOption(new Option('--role <role>', 'admin or member').argParser(argument.givenRole).makeOptionMandatory())
    .option('--name <name>', 'name of the person, required for a new one', argument.personName)
    .option('--invite', 'print a link by which a new person sets their password, instead of a password')
    .runs(async ({ db, config }, id: string, email: string, { role, name, invite }: AddOptions) => {
      const joined = await addMember(db, id, {
        email,
        role,
        name: name ?? null,
        withoutPassword: invite ?? false,
      })
      const link = invite && joined.isNew ? (await resetLink(db, config, email)).link : null
      return { ...joined, link }
    }, joinedText)
}
