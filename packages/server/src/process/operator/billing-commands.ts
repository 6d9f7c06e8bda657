import { formatMoney } from '@msgctl/contract'
import { Option } from 'commander'
import { findAccount, insertAccount, writeCustomer } from '#billing/accounts/account-store.ts'
import { organizationOfCustomer, wantReading } from '#billing/accounts/operator-store.ts'
import { type Account, liveStatuses } from '#billing/accounts/stored.ts'
import { loadStripe, type Stripe } from '#billing/payments/sdk/load.ts'
import {
  checkSetup,
  claimCustomer,
  type SetUp,
  type SetupCheck,
  type SetupTarget,
  setUp,
} from '#billing/payments/sdk/setup.ts'
import { findOverview } from '#people/organizations/read-store.ts'
import { Refusal } from '#people/organizations/refusal.ts'
import type { Db } from '#platform/db/db.ts'
import type { Config } from '#process/config.ts'
import { argument } from './arguments.ts'
import { OperatorCommand } from './command.ts'
import { table } from './print.ts'
import { ownTerminal, type Terminal } from './terminal.ts'

const off = 'This service takes no payments: PAYMENTS is off.'
const simulated = 'With PAYMENTS=simulated the service sets up the simulator by itself.'

/** Opens the provider of the settings. Throws a {@link Refusal} where there is none. */
async function openStripe({ payments }: Config): Promise<Stripe> {
  if (payments === null) throw new Refusal(off)
  if (payments.provider === 'simulated') throw new Refusal(simulated)
  return loadStripe(payments)
}

function targetOf({ payments, mcp }: Config): SetupTarget {
  if (payments === null) throw new Refusal(off)
  if (mcp.publicUrl === null) throw new Refusal('Set PUBLIC_URL: the provider sends its events there.')
  const webhookUrl = `${mcp.publicUrl}/api/v1/payments/webhook`
  return { prices: payments.prices, webhookUrl, tax: payments.tax }
}

const words = { keep: 'is there', create: 'new', replace: 'changed' } as const

function setUpText(dryRun: boolean) {
  return ({ steps, webhookSecret }: SetUp) => {
    const lines = table(steps.map(({ does, what }) => [words[does], what]))
    if (dryRun) return `${lines}Nothing was changed. Run it without --dry-run.\n`
    if (webhookSecret === null) return lines
    return `${lines}\nThe secret of the endpoint, shown this once:\n  STRIPE_WEBHOOK_SECRET=${webhookSecret}\n`
  }
}

const byHand = 'Not visible from here: retries that end with "mark as unpaid", and that the mails of Stripe are off.\n'

function checkText(mode: string) {
  return (checks: readonly SetupCheck[]) =>
    `${table([['key', `${mode} mode`], ...checks.map(({ what, problem }) => [what, problem ?? 'ok'])])}${byHand}`
}

function accountText(account: Account): string {
  const { currency } = account
  const amount = account.amount === null ? '-' : formatMoney(account.amount, currency)
  const time = (at: Date | null) => at?.toISOString() ?? '-'
  return table([
    ['Status', account.status],
    ['Customer', account.customerId ?? '-'],
    ['Subscription', account.subscriptionId ?? '-'],
    ['Plan', account.items.map(({ item, quantity }) => `${quantity} ${item ?? 'unknown'}`).join(', ') || '-'],
    ['Amount', `${amount}${account.period === null ? '' : ` each ${account.period}`}`],
    ['Credit', formatMoney(account.credit, currency)],
    ['Period ends', time(account.currentPeriodEnd)],
    ['Stops', time(account.endsAt)],
    ['Grace ends', time(account.graceEndsAt)],
    ['Read last', time(account.refreshedAt)],
  ])
}

async function requireOrganization(db: Db, id: string): Promise<void> {
  if (!(await findOverview(db, id))) throw new Refusal('There is no such organization.')
}

/** Returns the operator's commands for payments: `msgctl-server billing ...`. */
export function billingCommands(terminal: Terminal = ownTerminal): OperatorCommand {
  const billing = new OperatorCommand('billing', terminal).description('set up and watch what organizations pay')
  const organization = ['<id>', 'id of the organization', argument.id] as const
  const setup = billing.command('setup').description('make products, prices, portal and webhook endpoint at Stripe')
  setup.addOption(new Option('--dry-run', 'show what would be made, and make nothing')).runs(
    async ({ config }, { dryRun }: { dryRun?: boolean }) =>
      setUp(await openStripe(config), targetOf(config), { dryRun: dryRun ?? false }),
    (result) => setUpText(setup.opts().dryRun ?? false)(result),
  )
  billing
    .command('check')
    .description('compare Stripe with the settings and the price list')
    .runs(
      async ({ config }) => {
        const checks = await checkSetup(await openStripe(config), targetOf(config))
        const mode = config.payments?.secretKey.includes('_live_') ? 'live' : 'test'
        if (checks.every(({ problem }) => problem === null)) return { mode, checks }
        throw new Refusal(checkText(mode)(checks).trimEnd())
      },
      ({ mode, checks }) => checkText(mode)(checks),
    )
  billing
    .command('refresh')
    .description('let the running service read Stripe again, for one organization or for all')
    .argument('[id]', organization[1], organization[2])
    .runs(
      async ({ db, config }, id?: string) => {
        if (config.payments === null) throw new Refusal(off)
        return { accounts: await wantReading(db, id ?? null) }
      },
      ({ accounts }) => `The service reads ${accounts} ${accounts === 1 ? 'account' : 'accounts'} again.\n`,
    )
  billing
    .command('show')
    .description('show what the service knows of the payments of an organization')
    .argument(...organization)
    .runs(async ({ db }, id: string) => {
      await requireOrganization(db, id)
      const account = await findAccount(db, id)
      if (!account) throw new Refusal('The organization never began to pay.')
      return account
    }, accountText)
  billing
    .command('link')
    .description('give a customer of Stripe to an organization, such as one whose record was made by hand')
    .argument(...organization)
    .argument('<customer>', 'id of the customer, like cus_...')
    .runs(
      async ({ db, config }, id: string, customerId: string) => {
        const stripe = await openStripe(config)
        await requireOrganization(db, id)
        const holder = await organizationOfCustomer(db, customerId)
        if (holder !== undefined && holder !== id) throw new Refusal(`Organization ${holder} has this customer.`)
        const present = await findAccount(db, id)
        if (present?.customerId != null && present.customerId !== customerId && liveStatuses.includes(present.status)) {
          throw new Refusal(`The organization pays as ${present.customerId}. End that subscription in Stripe first.`)
        }
        if (!(await claimCustomer(stripe, customerId, id))) throw new Refusal('Stripe knows no such customer.')
        const livemode = config.payments?.secretKey.includes('_live_') ?? false
        await insertAccount(db, { organizationId: id, currency: config.payments?.prices.currency ?? 'USD', livemode })
        await writeCustomer(db, id, { customerId, livemode })
        await wantReading(db, id)
        return { organizationId: id, customerId }
      },
      ({ organizationId, customerId }) => `${customerId} belongs to organization ${organizationId} now.\n`,
    )
  return billing
}
