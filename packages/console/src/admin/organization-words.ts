import type { PlatformOrganizationsOutput } from '@msgctl/client/admin'
import { leftToRight, listOf } from '../words/format.ts'
import { t } from '../words/index.ts'

/** An organization as the platform's staff sees it. */
export type Organization = PlatformOrganizationsOutput['organizations'][number]

/** Returns the products by where they come from. */
export function productsText({ products }: Pick<Organization, 'products'>): string {
  const groups = new Map<string, string[]>()
  for (const { product, state, source } of products) {
    const how = state === 'paused' ? t.organization.states.paused : t.platform.sources[source]
    groups.set(how, [...(groups.get(how) ?? []), t.limitsPage.productNames[product]])
  }
  return [...groups].map(([how, names]) => `${listOf(names)} (${how})`).join(' · ') || t.ui.none
}

/** Returns the state of the plan with what it costs. */
export function planText({ billing: { status, amount, period } }: Pick<Organization, 'billing'>): string {
  const state = t.billing.statuses[status]
  return amount && period ? `${state}, ${t.billing.perPeriod[period](leftToRight(amount.text))}` : state
}
