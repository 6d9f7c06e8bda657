import type { Role } from '@msgctl/contract'
import { type Command, Option } from 'commander'
import { resetPassword } from '#people/auth/reset-password.ts'
import { addMember, changeRole, type GivenRole, removeMember } from '#people/organizations/members.ts'
import { argument } from './arguments.ts'
import { resetLink } from './people.ts'
import { joinedText, passwordText } from './print.ts'
import { runCommand } from './run.ts'
import type { Terminal } from './terminal.ts'

interface Json {
  readonly json?: boolean
}

interface AddOptions extends Json {
  readonly role: GivenRole
  readonly name?: string
  readonly invite?: boolean
}

/** Adds `org member add|role|password|remove`. */
export function addMemberCommands(org: Command, terminal: Terminal): void {
  const member = org.command('member').description('manage the members of an organization')
  addAddCommand(member, terminal)
  memberCommand(member, 'role', 'change the role of a member')
    .argument('<role>', 'admin or member', argument.role)
    .option('--json', 'print JSON')
    .action((id: string, email: string, role: Role, { json }: Json) =>
      runCommand(
        terminal,
        json,
        async (db) => {
          await changeRole(db, id, email, role)
          return { email, role }
        },
        () => `${email} is ${role} now.\n`,
      ),
    )
  memberCommand(member, 'password', 'set a new password for a member and end all their sessions')
    .option('--json', 'print JSON')
    .action((id: string, email: string, { json }: Json) =>
      runCommand(terminal, json, (db) => resetPassword(db, id, email), passwordText),
    )
  memberCommand(member, 'remove', 'remove a member and end their sessions')
    .option('--json', 'print JSON')
    .action((id: string, email: string, { json }: Json) =>
      runCommand(
        terminal,
        json,
        async (db) => {
          await removeMember(db, id, email)
          return { email, removed: true }
        },
        () => `${email} is no longer a member.\n`,
      ),
    )
}

/** Adds a command about one member of one organization. */
function memberCommand(member: Command, name: string, description: string): Command {
  return member
    .command(name)
    .description(description)
    .argument('<id>', 'id of the organization', argument.id)
    .argument('<email>', 'e-mail address of the member', argument.email)
}

function addAddCommand(member: Command, terminal: Terminal): void {
  memberCommand(member, 'add', 'add a person; a new person gets a password')
    .addOption(new Option('--role <role>', 'admin or member').argParser(argument.givenRole).makeOptionMandatory())
    .option('--name <name>', 'name of the person, required for a new one', argument.personName)
    .option('--invite', 'print a link by which a new person sets their password, instead of a password')
    .option('--json', 'print JSON')
    .action((id: string, email: string, { role, name, invite, json }: AddOptions) =>
      runCommand(
        terminal,
        json,
        async (db, config) => {
          const joined = await addMember(db, id, {
            email,
            role,
            name: name ?? null,
            withoutPassword: invite ?? false,
          })
          const link = invite && joined.isNew ? (await resetLink(db, config, email)).link : null
          return { ...joined, link }
        },
        joinedText,
      ),
    )
}
