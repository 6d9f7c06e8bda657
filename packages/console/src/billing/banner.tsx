import { useQuery } from '@tanstack/preact-query'
import { useLocation } from 'preact-iso/router'
import { admin } from '../api/admin-client.ts'
import { api } from '../api/client.ts'
import { pagePath } from '../api/place.ts'
import { useAction } from '../api/use-action.ts'
import { useMayManage } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { CircleAlert, Clock3 } from '../ui/marks.ts'
import { dayAndTime, dayOf } from '../words/format.ts'
import { t } from '../words/index.ts'
import { number } from '../words/plural.ts'
import { amountOf, type Billing, reasonOf } from './billing-state.ts'
import '../styles/billing.css'

interface Trial {
  readonly endsAt: string
  readonly limit: number
}

/** What the banner says, and the way out of it. */
interface Notice {
  readonly says: string
  readonly tone: 'bad' | 'warning' | 'plain'
  /** A page of the provider. */
  readonly payUrl?: string | null
  /** Leads to the page of billing. */
  readonly leads?: string
  readonly act?: string
  readonly does?: 'portal' | 'resume'
}

const dayMs = 86_400_000
/** From this many days on, the end of the trial is a warning. */
const nearDays = 2

function noticeOfPlan({ status, openInvoice, graceEndsAt, pendingChange, cancelAtPeriodEnd, endsAt }: Billing) {
  const words = t.banner
  const payUrl = openInvoice?.payUrl ?? null
  if (status === 'unpaid')
    return {
      says: `${words.paused} ${words.unpaid}`,
      tone: 'bad',
      payUrl,
      act: words.payNow,
      leads: words.payNow,
    } as const
  if (status === 'past_due') {
    const amount = openInvoice ? amountOf(openInvoice.total) : ''
    const says = words.pastDue(amount, reasonOf(openInvoice?.reason ?? null), graceEndsAt ? dayOf(graceEndsAt) : '')
    return { says, tone: 'bad', payUrl, act: words.payNow, does: 'portal' } as const
  }
  if (pendingChange) {
    const says = words.pending(dayAndTime(pendingChange.expiresAt))
    return { says, tone: 'warning', payUrl: pendingChange.payUrl, act: words.pay } as const
  }
  if (cancelAtPeriodEnd && endsAt)
    return { says: words.ending(dayOf(endsAt)), tone: 'warning', does: 'resume' } as const
  return null
}

/** For an organization without a product. Members do not see the billing, so they learn less of the reason. */
function noticeOfPause(trial: Trial | null, billing: Billing | undefined): Notice {
  const words = t.banner
  const why = trial ? words.trialEnded : billing?.status === 'ended' ? words.planEnded : ''
  return { says: `${words.paused} ${why}`.trim(), tone: 'bad', leads: words.choose }
}

function noticeOfTrial(trial: Trial): Notice | null {
  const words = t.banner
  const leftMs = Date.parse(trial.endsAt) - Date.now()
  if (leftMs <= 0) return null
  const days = Math.ceil(leftMs / dayMs)
  const tone = leftMs <= nearDays * dayMs ? 'warning' : 'plain'
  return { says: words.trial(days, number(trial.limit)), tone, leads: words.choose }
}

/** What a person should know about trial and payment, above every page: at most one thing at a time. */
export function Banner() {
  const mayManage = useMayManage()
  const me = useQuery({ queryKey: ['me'], queryFn: () => api.account.me() })
  const found = useQuery({ queryKey: ['billing'], queryFn: () => admin.billing.get(), enabled: mayManage })
  if (!me.data || (mayManage && !found.data)) return null
  const { trial, products } = me.data
  const billing = found.data?.billing
  const ofTrial = trial ? noticeOfTrial(trial) : null
  const ofPlan: Notice | null = billing ? noticeOfPlan(billing) : null
  const notice = ofPlan ?? (products.length === 0 ? noticeOfPause(trial, billing) : ofTrial)
  if (notice === null) return null
  const Mark = notice.tone === 'plain' ? Clock3 : CircleAlert
  return (
    <aside class={`banner ${notice.tone}`} aria-label={t.nav.billing}>
      <Mark size={16} aria-hidden />
      <p>
        {notice.says} {mayManage ? null : t.banner.ask}
      </p>
      {mayManage ? <Ways notice={notice} /> : null}
    </aside>
  )
}

function Ways({ notice: { payUrl, act, leads, does } }: { readonly notice: Notice }) {
  const { path } = useLocation()
  const page = pagePath('billing')
  const portal = useAction(async () => {
    const { portal } = await admin.billing.portal()
    location.assign(portal.url)
  })
  const resume = useAction(() => admin.billing.resume(), { stale: ['billing'], done: t.billing.kept })
  return (
    <span class="row wrap">
      {payUrl && act ? (
        <a class="btn" href={payUrl}>
          {act}
        </a>
      ) : null}
      {leads && !payUrl ? (
        <a class="btn" href={path === page ? '#choose' : page}>
          {leads}
        </a>
      ) : null}
      {does === 'portal' ? <Button action={portal} label={t.banner.changeCard} /> : null}
      {does === 'resume' ? <Button action={resume} label={t.banner.keep} /> : null}
    </span>
  )
}
