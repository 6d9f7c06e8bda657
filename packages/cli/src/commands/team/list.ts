import type { Context } from '../../context.ts'
import type { Column } from '../../output/columns.ts'
import { verb, verbs } from '../../program.ts'

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

/** `team list` and `team invitations`. */
export const listVerbs = verbs(
  verb('list', 'list the members of the organization', list, ['msgctl team list', 'msgctl team list --json']),
  verb('invitations', 'list the open invitations', invitations, ['msgctl team invitations']),
)
