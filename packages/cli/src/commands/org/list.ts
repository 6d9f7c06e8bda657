import type { Context } from '../../context.ts'
import { defineColumns } from '../../output/columns.ts'
import { verb, verbs } from '../../program.ts'

const listColumns = defineColumns('id, name, memberRole as Role, requireTwoFactor as Two steps, current')

/** The columns of one organization. */
export const recordColumns = defineColumns(
  'id, name, owner.email as Owner, country, members, memberLimit, requireTwoFactor as Requires two steps',
  'trialEndsAt as Trial ends, numbers.used as Numbers, numbers.included as Numbers included, createdAt as Created',
)

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
