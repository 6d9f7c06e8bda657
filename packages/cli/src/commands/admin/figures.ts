import type { Context } from '../../context.ts'
import { wholeFrom } from '../../input/duration.ts'
import { type Column, defineColumns } from '../../output/columns.ts'
import { verb, verbs } from '../../program.ts'
import { resolveOrganizationId } from './reference.ts'

const recurring: Column = {
  field: 'monthlyRecurring',
  title: 'Each month',
  show: (value) => (value as readonly { text: string }[]).map(({ text }) => text).join(', ') || '-',
}

const figureColumns = defineColumns(
  'mode, subscriptions.active as Active, subscriptions.past_due as Payment failed, subscriptions.unpaid as Unpaid',
  'subscriptions.ended as Ended, trials as On trial',
  recurring,
  'failedPayments30Days as Failed payments of 30 days, disputesOpen as Open disputes',
  'eventsWaiting as Events that wait, operationsOpen as Open calls',
)

async function billing(context: Context): Promise<void> {
  const { billing: figures } = await context.asPerson((client) => client.platform.billing())
  await context.print.record(figures, figureColumns)
}

const activityColumns = defineColumns('at, actor.email as By, action, organization.name as Organization', {
  field: 'details.reason',
  title: 'Reason',
  long: true,
})

const defaultRows = 50
const pageSize = 100
const maxRows = 1_000_000

interface ActivityOptions {
  readonly organization?: string
  readonly limit?: string
}

async function activity(context: Context, { organization, limit }: ActivityOptions): Promise<void> {
  const wanted = wholeFrom(limit ?? String(defaultRows), '--limit', 1, maxRows)
  const rows = await context.asPerson(async (client) => {
    const filter =
      organization === undefined ? {} : { organizationId: await resolveOrganizationId(client, organization) }
    const found = []
    const options = { signal: context.host.signal }
    const pages = client.platform.activity.all({ ...filter, limit: Math.min(wanted, pageSize) }, options)
    for await (const entry of pages) {
      found.push(entry)
      if (found.length >= wanted) break
    }
    return found
  })
  await context.print.list(rows, activityColumns)
}

/** `admin billing` and `admin activity`. */
export const figureVerbs = verbs(
  verb('billing', 'show figures about all plans', billing, ['msgctl admin billing', 'msgctl admin billing --json']),
  verb(
    'activity',
    'list what the staff did, newest first',
    activity,
    ['msgctl admin activity', 'msgctl admin activity --organization 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5'],
    (command) =>
      command
        .option(
          '--organization <organization>',
          'show only what was done to this one, by id, name or e-mail of the owner',
        )
        .option('--limit <rows>', `maximum number of rows (default: ${defaultRows})`),
  ),
)
