import type { Contract } from '@msgctl/contract'
import type { Request } from '#api/http/handler.ts'
import { findAccount } from '#billing/accounts/account-store.ts'
import { liveStatuses } from '#billing/accounts/stored.ts'
import { calling } from '#billing/calling.ts'
import { noSubscription, withPayments } from '#billing/errors.ts'
import { toMoney } from '#billing/money.ts'
import { currencyFor } from '#billing/prices/price-list.ts'
import { findParty } from '#billing/refresh/party-store.ts'
import { invalidField } from '#platform/errors.ts'
import type { Services } from '#services.ts'
import { wantedOf } from './change.ts'
import { requireOffered, toLines } from './rules.ts'
import { stepsTo } from './steps.ts'

/** Returns what a plan would cost. It reads only: neither the provider nor the service changes anything. */
export async function previewPlan({ caller, body }: Request<Contract['billing']['preview']>, services: Services) {
  const { payments, db } = withPayments(services)
  const { organizationId } = caller
  const [account, party] = await Promise.all([findAccount(db, organizationId), findParty(db, organizationId)])
  if (!party) throw noSubscription()
  const live = account && liveStatuses.includes(account.status) ? account : null
  if (!live && body.products === undefined) throw invalidField('products', 'is needed before the first payment')
  const currency = live?.currency ?? currencyFor(payments.prices, party.country)
  const wanted = wantedOf(live ?? { items: [], period: null }, party, {
    ...(body.products && { products: body.products }),
    ...(body.extraNumbers !== undefined && { extraNumbers: body.extraNumbers }),
    ...(body.period && { period: body.period }),
  })
  const again = live !== null && wanted.period !== live.period
  const present = live?.items ?? []
  const kept = again ? [] : present.flatMap(({ item }) => item ?? [])
  const granted = party.granted.filter((product) => !present.some(({ item }) => item === product))
  requireOffered(wanted, { prices: payments.prices, currency, granted, kept })
  const { first, rest } = stepsTo(present, toLines(wanted), again)
  const found = await calling(() =>
    payments.provider.preview({
      customerId: account?.customerId ?? null,
      subscriptionId: live?.subscriptionId ?? null,
      changes: [...first, ...rest],
      period: wanted.period,
      currency,
      country: party.country,
    }),
  )
  const money = (amount: number) => toMoney(amount, found.currency)
  return {
    preview: {
      dueNow: money(found.dueNow),
      tax: money(found.tax),
      credit: money(found.credit),
      nextTotal: money(found.nextTotal),
      nextAt: found.nextAt.toISOString(),
      lines: found.lines.map(({ description, amount }) => ({ description, amount: money(amount) })),
    },
  }
}
