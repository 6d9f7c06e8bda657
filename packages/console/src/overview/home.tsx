import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import lazy from 'preact-iso/lazy'
import { api } from '../api/client.ts'
import { useOverview } from '../api/live.ts'
import { type Overview, shownState } from '../api/overview.ts'
import { pagePath } from '../api/place.ts'
import { Bar, Legend, partsOf } from '../ui/bar.tsx'
import { Bars } from '../ui/bars.tsx'
import { Card, Empty, Loading, Page } from '../ui/layout.tsx'
import { Send } from '../ui/marks.ts'
import { Status } from '../ui/status.tsx'
import { share } from '../words/format.ts'
import { t } from '../words/index.ts'
import { number } from '../words/plural.ts'
import { Attention } from './attention.tsx'
import { dayColumns, sumOfColumns } from './hours.ts'
import { SendDialog } from './lazy-send-dialog.ts'
import { RecentMessages } from './recent.tsx'

/** Whether to show the first steps: until the organization has sent something, or a person skips them. */
function useFirstRun(overview: Overview | null): { isFirst: boolean; skip: () => void } {
  const [isFirst, setFirst] = useState<boolean | null>(null)
  const isEmpty = overview !== null && Object.values(overview.messages).every((count) => count === 0)
  // It stays until the page is left, although the first message ends the reason for it.
  if (isFirst === null && overview !== null) setFirst(isEmpty)
  return { isFirst: isFirst ?? isEmpty, skip: () => setFirst(false) }
}

import '../styles/home.css'

const FirstRun = lazy(() => import('./first-run.tsx').then(({ FirstRun }) => FirstRun))

/** The start page: the first steps until something was sent, then the present state. */
export function Home() {
  const overview = useOverview()
  const { isFirst, skip } = useFirstRun(overview)
  if (overview === null) return <Loading />
  return isFirst ? <FirstRun overview={overview} onSkip={skip} /> : <Dashboard overview={overview} />
}

function Dashboard({ overview }: { readonly overview: Overview }) {
  const [sending, setSending] = useState(false)
  return (
    <Page
      title={t.nav.home}
      actions={
        <button type="button" class="btn primary" onClick={() => setSending(true)}>
          <Send size={15} class="flip" aria-hidden />
          {t.home.send}
        </button>
      }
    >
      <Attention overview={overview} />
      <Day overview={overview} />
      <div class="columns">
        <CampaignsNow overview={overview} />
        <NumbersNow overview={overview} />
      </div>
      {sending ? <SendDialog onClose={() => setSending(false)} /> : null}
    </Page>
  )
}

/** The figures of now and of the last day, with their chart. */
function Day({ overview }: { readonly overview: Overview }) {
  const hours = useQuery({ queryKey: ['hours'], queryFn: () => api.messages.hours() })
  const columns = dayColumns(hours.data?.hours ?? [], Date.parse(overview.at))
  const sums = sumOfColumns(columns)
  const of = (name: string) => sums.find(([each]) => each === name)?.[1] ?? 0
  const handed = of('read') + of('delivered') + of('sent') + of('failed')
  const { messages, numbers, unread } = overview
  return (
    <>
      <section class="card tiles" aria-label={t.home.now}>
        <Tile label={t.home.waiting} value={messages.queued} href="queue" hint={t.home.waitingHint(numbers.length)} />
        <Tile label={t.home.onTheirWay} value={messages.sending} href="queue" hint={t.home.onTheirWayHint} />
        <Tile
          label={t.home.sent24h}
          value={handed}
          href="messages"
          hint={handed === 0 ? t.home.noneYet : t.home.deliveredShare(share(of('read') + of('delivered'), handed))}
        />
        <Tile label={t.home.failed24h} value={of('failed')} href="messages?status=failed" hint={t.home.why} />
        {unread === null ? null : <Tile label={t.home.unread} value={unread} href="inbox" hint={t.home.reply} />}
      </section>
      <Card title={t.home.last24h} aside={<Legend parts={sums} />}>
        <div class="pad">
          {hours.isPending ? <Loading /> : <Bars label={t.home.chartLabel} columns={columns} every={3} />}
        </div>
      </Card>
    </>
  )
}

interface TileProps {
  readonly label: string
  readonly value: number
  readonly href: string
  readonly hint: string
}

function Tile({ label, value, href, hint }: TileProps) {
  return (
    <a class="tile" href={pagePath(href)}>
      <span class="small muted">{label}</span>
      <b class="num">{number(value)}</b>
      <span class="xs muted">{hint}</span>
    </a>
  )
}

function NumbersNow({ overview }: { readonly overview: Overview }) {
  return (
    <Card title={t.home.numbers}>
      {overview.numbers.length === 0 ? (
        <Empty title={t.home.noNumbers}>
          <p>{t.home.noNumbersHint}</p>
          <a class="btn primary" href={pagePath('numbers')}>
            {t.home.addNumber}
          </a>
        </Empty>
      ) : (
        <ul class="items">
          {overview.numbers.map(({ containerId, label, waiting, ...state }) => (
            <li key={containerId}>
              <a class="item" href={pagePath(`numbers/${containerId}`)}>
                <span class="grow cut strong" dir="auto">
                  {label}
                </span>
                <span class="small muted num">{number(waiting.high + waiting.normal + waiting.campaign)}</span>
                <Status of={shownState(state)} />
              </a>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function CampaignsNow({ overview }: { readonly overview: Overview }) {
  const campaigns = overview.campaigns ?? []
  if (campaigns.length === 0) return <RecentMessages />
  return (
    <Card title={t.home.campaigns}>
      <ul class="items">
        {campaigns.map(({ id, name, status, stats }) => (
          <li key={id}>
            <a class="item campaign-item" href={pagePath(`campaigns/${id}`)}>
              <span class="row between">
                <span class="cut strong" dir="auto">
                  {name}
                </span>
                <Status of={status} />
              </span>
              <Bar label={name} total={stats.total} parts={partsOf(stats)} />
              <span class="xs muted num">
                {t.home.progress(number(stats.sent + stats.failed), number(stats.total))}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </Card>
  )
}
