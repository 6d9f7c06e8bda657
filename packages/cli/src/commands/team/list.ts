import type { Context } from '../../context.ts'
import { defineColumns } from '../../output/columns.ts'
import { verb, verbs } from '../../program.ts'

const memberColumns = defineColumns(
  'id, name, email as E-mail, role, twoFactorEnabled as Two steps, lastSeenAt as Last seen',
)

const invitationColumns = defineColumns('id, email as E-mail, role, expiresAt as Expires')

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
