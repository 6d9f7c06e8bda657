import type { AdminClient } from '@msgctl/client/admin'
import { Option } from 'commander'
import type { Context } from '../../context.ts'
import { wholeFrom } from '../../input/duration.ts'
import { defineColumns } from '../../output/columns.ts'
import { subNoun, verb } from '../../program.ts'
import { detailColumns, listColumns } from './columns.ts'
import { resolveOrganizationId } from './reference.ts'

type Filters = Omit<NonNullable<Parameters<AdminClient['platform']['organizations']>[0]>, 'limit' | 'cursor'>

const defaultRows = 50
const pageSize = 100
const maxRows = 1_000_000

async function list(context: Context, { limit, ...filters }: Filters & { readonly limit?: string }): Promise<void> {
  const wanted = wholeFrom(limit ?? String(defaultRows), '--limit', 1, maxRows)
  const rows = await context.asPerson(async (client) => {
    const found = []
    const options = { signal: context.host.signal }
    const pages = client.platform.organizations.all({ ...filters, limit: Math.min(wanted, pageSize) }, options)
    for await (const one of pages) {
      found.push(one)
      if (found.length >= wanted) break
    }
    return found
  })
  await context.print.list(rows, listColumns)
}

const peopleColumns = defineColumns(
  'email as E-mail, name, role, twoFactorEnabled as Two steps, lastSeenAt as Last seen',
)

async function show(context: Context, reference: string): Promise<void> {
  const { organization } = await context.asPerson(async (client) =>
    client.platform.organization({ organizationId: await resolveOrganizationId(client, reference) }),
  )
  const { print } = context
  await print.record(organization, detailColumns)
  if (print.format !== 'table' || context.options.fields !== undefined) return
  await print.text('\n')
  await print.list(organization.people, peopleColumns)
}

/** `admin organizations list` and `admin organizations show`. */
export const organizationVerbs = subNoun(
  'organizations',
  'list and show all organizations of the service',
  verb(
    'list',
    'list the organizations, newest first',
    list,
    ['msgctl admin organizations list', 'msgctl admin organizations list --billing past_due'],
    (command) =>
      command
        .option(
          '--search <text>',
          'show only those with this in their name or the e-mail of their owner, or with this id',
        )
        .addOption(new Option('--state <state>', 'show only this state').choices(['active', 'deactivated', 'deleted']))
        .addOption(
          new Option('--billing <status>', 'show only this status of the plan').choices([
            'none',
            'incomplete',
            'active',
            'past_due',
            'unpaid',
            'ended',
          ]),
        )
        .option('--product <product>', 'show only those with this product')
        .option('--limit <rows>', `maximum number of rows (default: ${defaultRows})`),
  ),
  verb('show <organization>', 'show an organization with its people, by id, name or e-mail of the owner', show, [
    'msgctl admin organizations show 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5',
    "msgctl admin organizations show 'Example Shop'",
  ]),
)
