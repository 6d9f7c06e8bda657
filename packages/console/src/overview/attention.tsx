import { useQuery } from '@tanstack/preact-query'
import { api } from '../api/client.ts'
import type { Overview } from '../api/overview.ts'
import { pagePath } from '../api/place.ts'
import { useFeature } from '../session/session.ts'
import { ArrowRight, CirclePause, Clock3, type Mark, Megaphone, QrCode, TriangleAlert, Webhook } from '../ui/marks.ts'
import { dayAndTime, dayOf } from '../words/format.ts'
import { t } from '../words/index.ts'

/** Something that a person should do: what, its consequence, and one button. */
interface Concern {
  readonly key: string
  readonly severity: 'bad' | 'warning'
  readonly mark: Mark
  readonly title: string
  readonly why: string
  readonly act: string
  readonly path: string
}

function concernsOfNumbers({ numbers }: Overview): Concern[] {
  return numbers.flatMap(({ containerId, label, status, restrictedUntil, heldMessages, queueHeld, waiting }) => {
    const path = `numbers/${containerId}`
    const whatWaits = t.home.waitingFor(waiting.high + waiting.normal + waiting.campaign)
    if (status === 'WORKING' || status === 'STARTING') {
      if (!queueHeld && restrictedUntil !== null && status === 'WORKING') {
        return [
          {
            key: containerId,
            severity: 'warning' as const,
            mark: Clock3,
            title: t.home.numberState(label, t.status.RESTRICTED),
            why: `${t.home.restrictedWhy(dayAndTime(restrictedUntil))} ${whatWaits}`,
            act: t.home.seeWhy,
            path,
          },
        ]
      }
      if (!queueHeld) return []
      const why = t.home.heldWhy(heldMessages)
      return [
        {
          key: containerId,
          severity: 'warning' as const,
          mark: CirclePause,
          title: t.home.held(label),
          why,
          act: t.home.release,
          path,
        },
      ]
    }
    const needsLink = status === 'SCAN_QR_CODE'
    return [
      {
        key: containerId,
        severity: needsLink || status === 'STOPPED' ? ('warning' as const) : ('bad' as const),
        mark: needsLink ? QrCode : TriangleAlert,
        title: t.home.numberState(label, t.status[status]),
        why: whatWaits,
        act: needsLink ? t.home.link : t.home.seeWhy,
        path: needsLink ? `${path}?link` : path,
      },
    ]
  })
}

function concernOfDeliveries({ deliveries }: Overview): Concern[] {
  if (!deliveries || deliveries.dropped24h === 0) return []
  return [
    {
      key: 'webhook',
      severity: 'bad',
      mark: Webhook,
      title: t.home.droppedTitle(deliveries.dropped24h),
      why: t.home.droppedWhy,
      act: t.home.sendAgain,
      path: 'webhook?status=dropped',
    },
  ]
}

/** Campaigns that did not start, and the end of the trial. */
function useQuietConcerns(): Concern[] {
  const hasCampaigns = useFeature('campaigns')
  const campaigns = useQuery({
    queryKey: ['campaigns'],
    queryFn: () => api.campaigns.list(),
    enabled: hasCampaigns,
  })
  const me = useQuery({ queryKey: ['me'], queryFn: () => api.account.me() })
  const failed = (campaigns.data?.campaigns ?? []).filter(({ startError }) => startError !== null)
  const trial = me.data?.trial
  return [
    ...failed.map(({ id, name, startError }) => ({
      key: id,
      severity: 'bad' as const,
      mark: Megaphone,
      title: t.home.startError(name),
      why: startError ?? '',
      act: t.home.open,
      path: `campaigns/${id}`,
    })),
    ...(trial
      ? [
          {
            key: 'trial',
            severity: 'warning' as const,
            mark: Clock3,
            title: t.home.trialEnds(dayOf(trial.endsAt)),
            why: t.home.trialUsed(trial.used, trial.limit),
            act: t.home.open,
            path: 'limits',
          },
        ]
      : []),
  ]
}

/** What needs a person now, the most urgent first. */
export function Attention({ overview }: { readonly overview: Overview }) {
  const concerns = [...concernsOfNumbers(overview), ...concernOfDeliveries(overview), ...useQuietConcerns()]
  if (concerns.length === 0) return null
  return (
    <section class="card" aria-label={t.home.needsYou}>
      <ul class="items">
        {concerns.map(({ key, severity, mark: Mark, title, why, act, path }) => (
          <li key={key} class={`concern ${severity}`}>
            <a class="item" href={pagePath(path)}>
              <span class={severity === 'bad' ? 'is-failed' : 'is-held'}>
                <Mark size={18} aria-hidden />
              </span>
              <span class="grow">
                <b>{title}</b>
                <span class="block small muted">{why}</span>
              </span>
              <span class="btn">
                {act}
                <ArrowRight size={14} class="flip" aria-hidden />
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
