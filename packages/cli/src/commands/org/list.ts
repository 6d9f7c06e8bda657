import type { Context } from '../../context.ts'
import type { Column } from '../../output/columns.ts'
import { verb, verbs } from '../../program.ts'

const listColumns: readonly Column[] = [
  { field: 'id', title: 'Id' },
  { field: 'name', title: 'Name' },
  { field: 'memberRole', title: 'Role' },
  { field: 'requireTwoFactor', title: 'Two steps' },
  { field: 'current', title: 'Current' },
]

/** The columns of one organization. */
export const recordColumns: readonly Column[] = [
  { field: 'id', title: 'Id' },
  { field: 'name', title: 'Name' },
  { field: 'owner.email', title: 'Owner' },
  { field: 'members', title: 'Members' },
  { field: 'memberLimit', title: 'Member limit' },
  { field: 'requireTwoFactor', title: 'Requires two steps' },
  { field: 'trialEndsAt', title: 'Trial ends' },
  { field: 'numbers.used', title: 'Numbers' },
  { field: 'numbers.included', title: 'Numbers included' },
  { field: 'createdAt', title: 'Created' },
]

async function list(context: Context): Promise<void> {
  const { organizations } = await context.asPerson((client) => client.organization.list())
  await context.print.list(organizations, listColumns)
}

async function show(context: Context): Promise<void> {
  const { organization } = await context.asPerson((client) => client.organization.get())
  await context.print.record(organization, recordColumns)
}

/** `org list` and `org show`. */
export const listVerbs = verbs(
  verb('list', 'list your organizations', list, ['msgctl org list', 'msgctl org list --json']),
  verb('show', 'show the organization with its owner and limits', show, ['msgctl org show']),
)
