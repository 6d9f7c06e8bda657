import { useQuery } from '@tanstack/preact-query'
import { useEffect } from 'preact/hooks'
import { admin } from '../api/admin-client.ts'
import { useAction } from '../api/use-action.ts'
import { loadSession, useMayManage, useSession } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Copyable } from '../ui/copy.tsx'
import { Card, Empty, Facts, Page } from '../ui/layout.tsx'
import { CreditCard } from '../ui/marks.ts'
import { LoadState } from '../ui/problem.tsx'
import { t } from '../words/index.ts'
import { number } from '../words/plural.ts'
import { type Billing, isSubscribed } from './billing-state.ts'
import { Country } from './country.tsx'
import { Invoices } from './invoices.tsx'
import { PlanCard } from './plan-card.tsx'
import { PlanEditor } from './plan-editor.tsx'
import '../styles/billing.css'

/** Starts a service on which one can buy with test cards. */
const tryIt = 'PAYMENTS=simulated npm start'

/** What the organization pays for, what it uses, and every change of it. */
export function BillingPage() {
  const mayManage = useMayManage()
  const isOn = useSession()?.payments ?? false
  const found = useQuery({ queryKey: ['billing'], queryFn: () => admin.billing.get(), enabled: mayManage && isOn })
  if (!mayManage || !isOn)
    return (
      <Page title={t.nav.billing}>
        <div class="card">
          <Empty title={isOn ? t.billing.forbidden : t.billing.off} mark={<CreditCard size={20} aria-hidden />}>
            {isOn ? null : (
              <>
                <p>{t.billing.offHint}</p>
                <Copyable text={tryIt} />
              </>
            )}
          </Empty>
        </div>
      </Page>
    )
  return (
    <Page
      title={t.nav.billing}
      beside={<span class="small muted">{found.data && t.billing.modes[found.data.billing.mode]}</span>}
    >
      <LoadState of={found} />
      {found.data ? <Content billing={found.data.billing} /> : null}
    </Page>
  )
}

function Content({ billing }: { readonly billing: Billing }) {
  const refresh = useAction(
    async () => {
      await admin.billing.refresh()
      await loadSession()
    },
    { stale: ['billing', 'invoices', 'organization', 'me'] },
  )
  // Whoever comes back from a page of the provider need not wait for its report.
  const waits = billing.checkout !== null || billing.pendingChange !== null || billing.openInvoice !== null
  useEffect(() => {
    if (waits) void refresh.run()
  }, [])
  return (
    <>
      <div class="columns">
        <div class="stack">
          <PlanCard billing={billing} refresh={<Button action={refresh} label={t.billing.readAgain} />} />
          {billing.countryLocked ? null : <Country billing={billing} />}
        </div>
        <div class="stack">
          <Usage />
          {billing.countryLocked ? <Country billing={billing} /> : null}
        </div>
      </div>
      <PlanEditor
        key={keyOf(billing)}
        billing={billing}
        title={isSubscribed(billing) ? t.billing.change : t.billing.choose}
      />
      <Invoices />
    </>
  )
}

/** The editor begins again when what it edits has changed. */
function keyOf({ status, products, extraNumbers, period }: Billing): string {
  return JSON.stringify([status === 'active', products, extraNumbers, period])
}

/** What is used of what has a limit. */
function Usage() {
  const found = useQuery({ queryKey: ['organization'], queryFn: () => admin.organization.get() })
  const { numbers, ai, trial } = found.data?.organization ?? {}
  const words = t.billing
  return (
    <Card title={words.usage}>
      <LoadState of={found} />
      {numbers && ai ? (
        <div class="pad">
          <Facts
            facts={[
              [words.numbers, numbersText(numbers)],
              [words.ai, words.dollars(number(ai.usedUsd), number(ai.limitUsd))],
              trial ? [words.messages, t.limitsPage.ofLimit(trial.usedToday, trial.messagesPerDay)] : null,
            ]}
          />
        </div>
      ) : null}
    </Card>
  )
}

function numbersText({ used, included, extra }: { used: number; included: number; extra: number }): string {
  const limit = included + extra
  if (limit === 0) return number(used)
  const over = used - limit
  return `${t.limitsPage.ofLimit(used, limit)}${over > 0 ? `. ${t.billing.numbersOver(over)}` : ''}`
}
