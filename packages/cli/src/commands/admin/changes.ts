import type { AdminClient } from '@msgctl/client/admin'
import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { usageFailure } from '../../errors/exit-codes.ts'
import { instantFrom } from '../../input/moment.ts'
import { verb, verbs } from '../../program.ts'
import { extraNumbersFrom, productsFrom } from '../billing/preview.ts'
import { recordColumns } from './columns.ts'
import { resolveOrganizationId } from './reference.ts'

interface Reason {
  readonly reason: string
}

type Changed = Awaited<ReturnType<AdminClient['platform']['activate']>>

/** Makes a change as staff, and prints the organization afterwards. `reference` is its id, its name or its owner. */
async function change(
  context: Context,
  reference: string,
  make: (client: AdminClient, organizationId: string) => Promise<Changed>,
): Promise<void> {
  const { organization } = await context.asPerson(async (client) =>
    make(client, await resolveOrganizationId(client, reference)),
  )
  await context.print.record(organization, recordColumns)
}

function timeFrom(context: Context, text: string, what: string): string {
  const { host, note } = context
  return instantFrom(text, what, { nowMs: host.now(), timeZone: host.timeZone, note })
}

async function grant(context: Context, reference: string, words: readonly string[], { reason }: Reason) {
  const products = productsFrom(words)
  await change(context, reference, (client, organizationId) =>
    client.platform.setProducts({ organizationId, grant: products, reason }),
  )
}

async function revoke(context: Context, reference: string, words: readonly string[], { reason }: Reason) {
  const products = productsFrom(words)
  await change(context, reference, async (client, organizationId) => {
    await context.confirm(`Revoke ${products.join(', ')} of ${reference}? Without any product its numbers stop.`)
    return client.platform.setProducts({ organizationId, revoke: products, reason })
  })
}

interface TrialOptions extends Reason {
  readonly products?: readonly string[]
}

async function trial(context: Context, reference: string, until: string, { reason, products }: TrialOptions) {
  const chosen = products && { products: productsFrom(products) }
  const endsAt = timeFrom(context, until, 'The end')
  await change(context, reference, (client, organizationId) =>
    client.platform.setTrial({ organizationId, endsAt, ...chosen, reason }),
  )
}

interface AllowanceOptions extends Reason {
  readonly extraNumbers?: string
  readonly until?: string
  readonly aiUsd?: string
}

async function allowance(context: Context, reference: string, options: AllowanceOptions): Promise<void> {
  const { extraNumbers, until, aiUsd, reason } = options
  if (extraNumbers === undefined && until === undefined && aiUsd === undefined) {
    throw usageFailure('Give --extra-numbers, --until or --ai-usd.')
  }
  await change(context, reference, (client, organizationId) =>
    client.platform.setAllowance({
      organizationId,
      ...(extraNumbers !== undefined && { extraNumbers: extraNumbersFrom(extraNumbers, '--extra-numbers') }),
      ...(until !== undefined && { extraExpiresAt: until === 'none' ? null : timeFrom(context, until, '--until') }),
      ...(aiUsd !== undefined && { aiUsdPerMonth: aiUsd === 'default' ? null : dollarsFrom(aiUsd) }),
      reason,
    }),
  )
}

function dollarsFrom(text: string): number {
  if (!/^\d{1,7}(\.\d{1,6})?$/.test(text)) throw usageFailure('--ai-usd must be an amount like 25, or default.')
  return Number(text)
}

interface DeactivateOptions extends Reason {
  readonly endSubscription?: true
}

async function deactivate(context: Context, reference: string, options: DeactivateOptions): Promise<void> {
  const { reason, endSubscription } = options
  await change(context, reference, async (client, organizationId) => {
    const { organization: one } = await client.platform.organization({ organizationId })
    const pays = one.billing.status === 'active' || one.billing.status === 'past_due'
    const goesOn = pays && !endSubscription ? ' It still pays: add --end-subscription to end that too.' : ''
    await context.confirmTyped(
      `Deactivate "${one.name}"? Every call of it is refused, and its numbers stop.${goesOn}`,
      one.name,
    )
    return client.platform.deactivate({ organizationId, reason, ...(endSubscription && { endSubscription }) })
  })
}

async function activate(context: Context, reference: string, { reason }: Reason): Promise<void> {
  await change(context, reference, (client, organizationId) => client.platform.activate({ organizationId, reason }))
}

async function refresh(context: Context, reference: string, { reason }: Reason): Promise<void> {
  await change(context, reference, (client, organizationId) => client.platform.refresh({ organizationId, reason }))
}

const withReason = (command: Command) =>
  command.requiredOption('--reason <text>', 'why; the people of the organization can read it')

const example = '0190c1d2-7a3b-7c4d-8e5f-60718293a4b5'

/** `admin grant|revoke|trial|allowance|deactivate|activate|refresh`. */
export const changeVerbs = verbs(
  verb(
    'grant <organization> <products...>',
    'grant products, which ends their trial',
    grant,
    [`msgctl admin grant ${example} shop --reason 'Gift for the launch'`],
    withReason,
  ),
  verb(
    'revoke <organization> <products...>',
    'revoke granted products; what is paid stays',
    revoke,
    [`msgctl admin revoke ${example} shop --reason 'The gift was for November' --yes`],
    withReason,
  ),
  verb(
    'trial <organization> <end>',
    'move the end of the free trial, up to 90 days ahead',
    trial,
    [`msgctl admin trial ${example} +14d --reason 'Wants to see two more weeks'`],
    (command) => withReason(command.option('--products <products...>', 'products to try, where it has none')),
  ),
  verb(
    'allowance <organization>',
    'set the extra numbers and the AI allowance that are given',
    allowance,
    [`msgctl admin allowance ${example} --extra-numbers 2 --reason 'Asked on the phone'`],
    (command) =>
      withReason(
        command
          .option('--extra-numbers <count>', 'numbers beside those included and paid')
          .option('--until <time>', 'end of the extra numbers, or none')
          .option('--ai-usd <amount>', 'AI allowance of a month in US dollars, or default'),
      ),
  ),
  verb(
    'deactivate <organization>',
    'refuse every call of an organization and stop its numbers',
    deactivate,
    [`msgctl admin deactivate ${example} --reason 'Sends to people who did not ask'`],
    (command) => withReason(command.option('--end-subscription', 'end its plan at once too')),
  ),
  verb(
    'activate <organization>',
    'activate a deactivated organization',
    activate,
    [`msgctl admin activate ${example} --reason 'Talked to the owner'`],
    withReason,
  ),
  verb(
    'refresh <organization>',
    'read the payment provider now for an organization',
    refresh,
    [`msgctl admin refresh ${example} --reason 'Paid, but sees no product'`],
    withReason,
  ),
)
