import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { admin } from '../api/admin-client.ts'
import { useAction } from '../api/use-action.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Card, Facts } from '../ui/layout.tsx'
import { dayAndTime, dayOf, leftToRight, listOf } from '../words/format.ts'
import { t } from '../words/index.ts'
import { number } from '../words/plural.ts'
import { amountOf, type Billing, differingParts, isSubscribed, planOf, reasonOf } from './billing-state.ts'

interface PlanCardProps {
  readonly billing: Billing
  readonly refresh: ComponentChildren
}

const stale = ['billing', 'invoices', 'organization', 'me']

/** The plan at present: what it costs, when it is charged next, and with which card. */
export function PlanCard({ billing, refresh }: PlanCardProps) {
  const { status, products, grantedProducts, extraNumbers, period, amount, credit, openInvoice, checkout } = billing
  const words = t.billing
  return (
    <Card title={words.status} aside={refresh}>
      <div class="pad stack">
        {checkout ? (
          <p class="note held row between wrap">
            <span>{words.checkoutOpen(dayAndTime(checkout.expiresAt))}</span>
            <a class="btn" href={checkout.url}>
              {words.continue}
            </a>
          </p>
        ) : null}
        <Facts
          facts={[
            [words.state, words.statuses[status]],
            openInvoice
              ? [words.openInvoice, words.openAmount(amountOf(openInvoice.total), reasonOf(openInvoice.reason))]
              : null,
            billing.pendingChange ? [words.waiting, waitingText(billing, billing.pendingChange)] : null,
            products.length > 0 ? [words.products, names(products)] : null,
            grantedProducts.length > 0 ? [words.granted, names(grantedProducts)] : null,
            extraNumbers > 0 ? [words.extraNumbers, number(extraNumbers)] : null,
            period && isSubscribed(billing) ? [words.period, words.periods[period]] : null,
            amount ? [words.amount, amountOf(amount)] : null,
            isSubscribed(billing) ? [words.next, nextText(billing)] : null,
            credit.amount === 0 ? null : [words.credit, amountOf(credit)],
            billing.card ? [words.card, cardText(billing.card)] : null,
          ]}
        />
        {isSubscribed(billing) ? <Ways billing={billing} /> : null}
      </div>
    </Card>
  )
}

function nextText({ amount, cancelAtPeriodEnd, endsAt, currentPeriodEnd }: Billing): string {
  if (cancelAtPeriodEnd && endsAt) return t.billing.endsOn(dayOf(endsAt))
  return amount && currentPeriodEnd ? t.billing.nextOn(amountOf(amount), dayOf(currentPeriodEnd)) : t.ui.none
}

function cardText({ brand, last4, expMonth, expYear }: NonNullable<Billing['card']>): string {
  const until = leftToRight(`${String(expMonth).padStart(2, '0')}/${expYear}`)
  return t.billing.cardText(brand.charAt(0).toUpperCase() + brand.slice(1), leftToRight(last4), until)
}

function names(products: Billing['products']): string {
  return listOf(products.map((product) => t.limitsPage.productNames[product]))
}

/** What is different once the change that waits is paid. */
function waitingText(billing: Billing, pending: NonNullable<Billing['pendingChange']>): string {
  const words = t.billing
  const texts = {
    products: () => names(pending.products),
    extraNumbers: () => words.extraNumbersText(number(pending.extraNumbers)),
    period: () => words.periods[pending.period],
  }
  return listOf(differingParts(planOf(billing), pending).map((part) => texts[part]()))
}

/** Card, stop, and go on. */
function Ways({ billing }: Pick<PlanCardProps, 'billing'>) {
  const { status, cancelAtPeriodEnd, currentPeriodEnd } = billing
  const words = t.billing
  const [stopping, setStopping] = useState(false)
  const portal = useAction(async () => {
    const { portal } = await admin.billing.portal()
    location.assign(portal.url)
  })
  const stop = useAction(() => admin.billing.cancel(), {
    stale,
    done: status === 'active' ? words.willStop : words.stopped,
  })
  const resume = useAction(() => admin.billing.resume(), { stale, done: words.kept })
  return (
    <div class="actions">
      <Button action={portal} label={words.manageCard} />
      {cancelAtPeriodEnd ? (
        <Button kind="primary" action={resume} label={words.keep} />
      ) : (
        <Button kind="danger" onClick={() => setStopping(true)} label={words.stop} />
      )}
      {stopping ? (
        <Confirm title={words.stopTitle} act={words.stop} action={stop} onClose={() => setStopping(false)}>
          <p>{status === 'active' && currentPeriodEnd ? words.stopHint(dayOf(currentPeriodEnd)) : words.stopNow}</p>
        </Confirm>
      ) : null}
    </div>
  )
}
