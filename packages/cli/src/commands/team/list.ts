import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import type { Column } from '../../output/columns.ts'
import { addVerb, type Run } from '../../program.ts'

const memberColumns: readonly Column[] = [
  { field: 'id', title: 'Id' },
  { field: 'name', title: 'Name' },
  { field: 'email', title: 'E-mail' },
  { field: 'role', title: 'Role' },
  { field: 'twoFactorEnabled', title: 'Two steps' },
  { field: 'lastSeenAt', title: 'Last seen' },
]

const invitationColumns: readonly Column[] = [
  { field: 'id', title: 'Id' },
  { field: 'email', title: 'E-mail' },
  { field: 'role', title: 'Role' },
  { field: 'expiresAt', title: 'Expires' },
]

async function list(context: Context): Promise<void> {
  const { members } = await context.asPerson((client) => client.team.list())
  await context.print.list(members, memberColumns)
}

async function invitations(context: Context): Promise<void> {
  const { invitations: open } = await context.asPerson((client) => client.team.list())
  await context.print.list(open, invitationColumns)
}

/** Adds `team list` and `team invitations`. */
export function registerList(team: Command, run: Run): void {
  addVerb(team, 'list', 'list the members of the organization', 'msgctl team list', 'msgctl team list --json').action(
    run(list),
  )
  addVerb(team, 'invitations', 'list the open invitations', 'msgctl team invitations').action(run(invitations))
}
