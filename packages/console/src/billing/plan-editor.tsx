import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { admin } from '../api/admin-client.ts'
import { Button } from '../ui/button.tsx'
import { Filters } from '../ui/filters.tsx'
import { Card } from '../ui/layout.tsx'
import { LoadState } from '../ui/problem.tsx'
import { t } from '../words/index.ts'
import {
  amountOf,
  type Billing,
  differingParts,
  isSubscribed,
  type Period,
  type Plan,
  type Prices,
  type Product,
  planOf,
} from './billing-state.ts'
import { Preview } from './preview.tsx'

const periods: readonly Period[] = ['month', 'year']
const capped: readonly Product[] = ['developer', 'connect']
const mostExtraNumbers = 1000

/**
 * The plan as cards with prices. What was chosen is shown with its price before it is bought or changed. A plan that is
 * paid for is changed in one respect at a time, because each change is charged by itself.
 */
export function PlanEditor({ billing, title }: { readonly billing: Billing; readonly title: string }) {
  const words = t.billing
  const { country, grantedProducts } = billing
  const prices = useQuery({
    queryKey: ['prices', country],
    queryFn: () => admin.billing.prices(country ? { country } : {}),
  })
  const before = planOf(billing)
  const [plan, setPlan] = useState<Plan>(before)
  const [isShown, setShown] = useState(false)
  const subscribed = isSubscribed(billing)
  const parts = differingParts(before, plan)
  const refused = refusalOf(billing)
  const isLocked = (part: keyof Plan) => refused !== null || (subscribed && parts.length > 0 && !parts.includes(part))
  const held = [...plan.products, ...grantedProducts]
  const hasCapped = held.some((product) => capped.includes(product))
  const choose = (product: Product, isChosen: boolean) => {
    const products = plan.products.filter((each) => each !== product)
    setPlan({ ...plan, products: isChosen ? [...products, product] : products })
  }
  const canSee = plan.products.length > 0 && (!subscribed || parts.length > 0)
  return (
    <Card title={title} id="choose">
      <LoadState of={prices} />
      {prices.data ? (
        <div class="pad stack">
          <Periods plan={plan} disabled={isLocked('period')} onChange={(period) => setPlan({ ...plan, period })} />
          <ul class="plans">
            {prices.data.products.map((offer) => (
              <PlanOption
                key={offer.product}
                offer={offer}
                period={plan.period}
                isGranted={grantedProducts.includes(offer.product)}
                isChosen={plan.products.includes(offer.product)}
                disabled={isLocked('products')}
                onChange={(isChosen) => choose(offer.product, isChosen)}
              />
            ))}
          </ul>
          <ExtraNumbers
            prices={prices.data}
            plan={hasCapped ? plan : { ...plan, extraNumbers: 0 }}
            disabled={!hasCapped || isLocked('extraNumbers')}
            onChange={(extraNumbers) => setPlan({ ...plan, extraNumbers })}
          />
          {subscribed ? <p class="hint">{refused ?? words.oneAtATime}</p> : null}
          <div class="actions">
            <button type="button" class="btn primary" disabled={!canSee} onClick={() => setShown(true)}>
              {subscribed ? words.see : words.toCheckout}
            </button>
            {parts.length > 0 ? <Button onClick={() => setPlan(before)} label={words.reset} /> : null}
          </div>
        </div>
      ) : null}
      {isShown ? (
        <Preview
          plan={hasCapped ? plan : { ...plan, extraNumbers: 0 }}
          part={subscribed ? parts[0] : undefined}
          onClose={() => setShown(false)}
        />
      ) : null}
    </Card>
  )
}

/** Returns why the plan cannot be changed now, or null. */
function refusalOf({ status, cancelAtPeriodEnd }: Billing): string | null {
  if (status === 'past_due' || status === 'unpaid') return t.billing.payFirst
  return status === 'active' && cancelAtPeriodEnd ? t.billing.keepFirst : null
}

/** Returns what was typed as a number of extra numbers. */
function wholeNumber(typed: number): number {
  return Math.max(0, Math.min(mostExtraNumbers, Math.trunc(typed) || 0))
}

interface PeriodsProps {
  readonly plan: Plan
  readonly disabled: boolean
  readonly onChange: (period: Period) => void
}

function Periods({ plan, disabled, onChange }: PeriodsProps) {
  const options = periods.map((each) => [each, t.billing.periods[each]] as const)
  return (
    <fieldset disabled={disabled}>
      <Filters label={t.billing.period} options={options} value={plan.period} onChange={onChange} />
    </fieldset>
  )
}

interface PlanOptionProps {
  readonly offer: Prices['products'][number]
  readonly period: Period
  readonly isGranted: boolean
  readonly isChosen: boolean
  readonly disabled: boolean
  readonly onChange: (isChosen: boolean) => void
}

/** One product as a card that can be chosen. */
function PlanOption({ offer, period, isGranted, isChosen, disabled, onChange }: PlanOptionProps) {
  const words = t.billing
  const price = offer[period]
  return (
    <li>
      <label class="plan">
        <input
          type="checkbox"
          checked={isChosen}
          disabled={disabled || (!isChosen && (isGranted || price === null))}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
        <b>{t.limitsPage.productNames[offer.product]}</b>
        <span class="small muted num">
          {isGranted ? words.grantedHere : price ? words.perPeriod[period](amountOf(price)) : words.notForSale}
        </span>
      </label>
    </li>
  )
}

interface ExtraNumbersProps {
  readonly prices: Prices
  readonly plan: Plan
  readonly disabled: boolean
  readonly onChange: (extraNumbers: number) => void
}

function ExtraNumbers({ prices, plan, disabled, onChange }: ExtraNumbersProps) {
  const words = t.billing
  const price = prices.extraNumber[plan.period]
  if (price === null) return null
  return (
    <label class="field extra-numbers">
      <span>{words.extraNumbers}</span>
      <input
        class="input"
        type="number"
        min={0}
        max={mostExtraNumbers}
        value={plan.extraNumbers}
        disabled={disabled}
        onInput={(event) => onChange(wholeNumber(event.currentTarget.valueAsNumber))}
      />
      <span class="hint">
        {words.each(words.perPeriod[plan.period](amountOf(price)))}. {words.extraHint(prices.includedNumbers)}
      </span>
    </label>
  )
}
