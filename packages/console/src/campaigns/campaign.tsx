import type { CampaignsGetOutput } from '@msgctl/client'
import { campaignSeconds } from '@msgctl/contract/limits'
import { useQuery } from '@tanstack/preact-query'
import { useLocation } from 'preact-iso/router'
import { api } from '../api/client.ts'
import { useOverview } from '../api/live.ts'
import { pagePath } from '../api/place.ts'
import type { PathValues } from '../routes.ts'
import { Bar, Legend, partsOf } from '../ui/bar.tsx'
import { Bars } from '../ui/bars.tsx'
import { Card, Empty, Loading, Page } from '../ui/layout.tsx'
import { Megaphone } from '../ui/marks.ts'
import { LoadProblem } from '../ui/problem.tsx'
import { Status } from '../ui/status.tsx'
import { dayAndTime, share, span, time } from '../words/format.ts'
import { t } from '../words/index.ts'
import { number } from '../words/plural.ts'
import { CampaignActions } from './campaign-actions.tsx'
import { Recipients } from './recipients.tsx'
import '../styles/campaigns.css'

/** One campaign: how far it is, why some failed, and every recipient. */
export function CampaignPage({ id = '' }: PathValues) {
  const found = useQuery({ queryKey: ['campaign', id], queryFn: () => api.campaigns.get({ id }) })
  const back = [pagePath('campaigns'), t.nav.campaigns] as const
  if (found.isError)
    return (
      <Page title={t.campaign.missing} back={back}>
        <LoadProblem error={found.error} retry={() => found.refetch()} />
      </Page>
    )
  if (!found.data)
    return (
      <Page title={t.nav.campaigns} back={back}>
        <Loading />
      </Page>
    )
  const campaign = found.data
  return (
    <Page
      title={campaign.name}
      beside={<Status of={campaign.status} />}
      back={back}
      actions={<CampaignActions campaign={campaign} />}
    >
      <Progress campaign={campaign} />
      <div class="columns">
        <Minutes campaign={campaign} />
        <Reasons campaign={campaign} />
      </div>
      <Recipients campaign={campaign} />
    </Page>
  )
}

interface CampaignProps {
  readonly campaign: CampaignsGetOutput
}

function Progress({ campaign }: CampaignProps) {
  const { stats, name } = campaign
  const done = stats.sent + stats.failed
  const parts = partsOf(stats)
  return (
    <Card label={t.campaigns.progress}>
      <div class="pad stack">
        <div class="row wrap between">
          <p>
            <b class="figure num">{number(done)}</b>{' '}
            <span class="muted num">
              {t.campaign.ofTotal(stats.total)} · {share(done, stats.total)}
            </span>
          </p>
          <Ending campaign={campaign} />
        </div>
        <div class="tall-bar">
          <Bar label={name} total={stats.total} parts={parts} />
        </div>
        <Legend parts={parts} />
        {campaign.startError ? (
          <p class="error">
            {t.campaign.startError} {campaign.startError}
          </p>
        ) : null}
        {campaign.pauseReason === 'off_network' ? <p class="note held">{t.campaign.pausedOffNetwork}</p> : null}
        <details>
          <summary class="small muted">{t.campaign.text}</summary>
          <p class="template" dir="auto">
            {campaign.template}
          </p>
        </details>
      </div>
    </Card>
  )
}

/** When it starts or ends, or how long it took. */
function Ending({ campaign }: CampaignProps) {
  const overview = useOverview()
  const { status, stats, startedAt, completedAt, scheduledAt } = campaign
  if (status === 'scheduled' && scheduledAt)
    return <span class="small muted">{t.campaign.startsAt(dayAndTime(scheduledAt))}</span>
  if (status === 'completed' && startedAt && completedAt)
    return <span class="small muted">{t.campaign.took(span(Date.parse(completedAt) - Date.parse(startedAt)))}</span>
  if (status !== 'sending') return null
  const working = overview?.numbers.filter((each) => each.status === 'WORKING' && each.waiting.campaign > 0).length
  const leftMs = campaignSeconds(stats.total - stats.sent - stats.failed, working ?? 1) * 1000
  const end = new Date(Date.now() + leftMs).toISOString()
  return <span class="small muted num">{t.campaign.endsNear(dayAndTime(end), span(leftMs))}</span>
}

const shownMinutes = 60

function useProgress(id: string) {
  return useQuery({ queryKey: ['campaign', id, 'progress'], queryFn: () => api.campaigns.progress({ id }) })
}

function Minutes({ campaign: { id } }: CampaignProps) {
  const progress = useProgress(id)
  const minutes = progress.data?.minutes.slice(-shownMinutes) ?? []
  return (
    <Card title={t.campaign.byMinute}>
      {progress.isSuccess && minutes.length === 0 ? (
        <Empty title={t.campaign.nothingYet} mark={<Megaphone size={20} aria-hidden />} />
      ) : (
        <div class="pad">
          <Bars
            label={t.campaign.byMinuteLabel}
            height={180}
            every={Math.max(1, Math.ceil(minutes.length / 8))}
            columns={minutes.map(({ at, ...counts }) => ({
              key: at,
              label: time(at),
              parts: partsOf({ ...counts, total: 0 }),
            }))}
          />
        </div>
      )}
    </Card>
  )
}

function Reasons({ campaign: { id } }: CampaignProps) {
  const progress = useProgress(id)
  const { path } = useLocation()
  const reasons = progress.data?.reasons ?? []
  return (
    <Card title={t.campaign.whyFailed}>
      {progress.isSuccess && reasons.length === 0 ? <Empty title={t.campaign.noneFailed} /> : null}
      <ul class="items">
        {reasons.map(({ errorCode, count }) => (
          <li key={errorCode}>
            <a class="item" href={`${path}?reason=${errorCode}`}>
              <span class="grow">
                <code class="small">{errorCode}</code>
                <span class="block xs muted">{t.errorCodes[errorCode]}</span>
              </span>
              <b class="num">{number(count)}</b>
            </a>
          </li>
        ))}
      </ul>
    </Card>
  )
}
