import type { Role } from '@msgctl/contract'
import { type Command, Option } from 'commander'
import { addMember, changeRole, type GivenRole, removeMember } from '../organizations/members.ts'
import { argument } from './arguments.ts'
import { joinedText } from './print.ts'
import { runCommand } from './run.ts'
import type { Terminal } from './terminal.ts'

interface Json {
  readonly json?: boolean
}

interface AddOptions extends Json {
  readonly role: GivenRole
  readonly name?: string
}

/** `org member add|role|remove`: until people manage their teams themselves. */
export function memberCommands(parent: Command, terminal: Terminal): void {
  const member = parent.command('member').description('the people of an organization')
  addition(member, terminal)
  member
    .command('role')
    .description('change the role of a member')
    .argument('<id>', 'id of the organization', argument.id)
    .argument('<email>', 'e-mail address of the member', argument.email)
    .argument('<role>', 'admin or member', argument.role)
    .option('--json', 'for machines')
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
  member
    .command('remove')
    .description('take a member out; sign-ins end at once')
    .argument('<id>', 'id of the organization', argument.id)
    .argument('<email>', 'e-mail address of the member', argument.email)
    .option('--json', 'for machines')
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

function addition(member: Command, terminal: Terminal): void {
  member
    .command('add')
    .description('add a person; somebody new gets a password, shown once')
    .argument('<id>', 'id of the organization', argument.id)
    .argument('<email>', 'e-mail address of the person', argument.email)
    .addOption(new Option('--role <role>', 'admin or member').argParser(argument.givenRole).makeOptionMandatory())
    .option('--name <name>', 'name of the person; needed for somebody new', argument.personName)
    .option('--json', 'for machines')
    .action((id: string, email: string, { role, name, json }: AddOptions) =>
      runCommand(terminal, json, (db) => addMember(db, id, { email, role, name: name ?? null }), joinedText),
    )
}
