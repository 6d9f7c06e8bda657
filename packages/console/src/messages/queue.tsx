import type { MessagesQueueOutput } from '@msgctl/client'
import { keepPreviousData, useQuery } from '@tanstack/preact-query'
import { api } from '../api/client.ts'
import { useOverview } from '../api/live.ts'
import { type NumberNow, shownState } from '../api/overview.ts'
import { pagePath } from '../api/place.ts'
import { useAction } from '../api/use-action.ts'
import { Phone } from '../ui/contact.tsx'
import { Empty, Loading, Page } from '../ui/layout.tsx'
import { ListOrdered, X } from '../ui/marks.ts'
import { LoadProblem } from '../ui/problem.tsx'
import { Status } from '../ui/status.tsx'
import { useEvery } from '../ui/when.tsx'
import { dayAndTime, phoneText, span } from '../words/format.ts'
import { t } from '../words/index.ts'
import '../styles/queue.css'

const shown = 8
const minuteMs = 60_000

type Waiting = MessagesQueueOutput['lanes'][number]['messages'][number]

/** What leaves next on each number, and when. */
export function Queue() {
  const overview = useOverview()
  const now = useEvery(1000)
  const queue = useQuery({
    queryKey: ['queue'],
    queryFn: () => api.messages.queue({ limit: shown }),
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
  })
  const lanes = new Map(queue.data?.lanes.map(({ containerId, messages }) => [containerId, messages]))
  return (
    <Page title={t.nav.queue} beside={<span class="small muted">{t.queue.intro}</span>}>
      {queue.isError ? <LoadProblem error={queue.error} retry={() => queue.refetch()} /> : null}
      {overview === null || queue.isPending ? <Loading /> : null}
      {overview?.numbers.length === 0 ? (
        <Empty title={t.queue.noNumbers} mark={<ListOrdered size={20} aria-hidden />} />
      ) : null}
      {overview?.numbers.map((number) => (
        <Lane key={number.containerId} number={number} messages={lanes.get(number.containerId) ?? []} now={now} />
      ))}
    </Page>
  )
}

interface LaneProps {
  readonly number: NumberNow
  readonly messages: readonly Waiting[]
  readonly now: number
}

function Lane({ number, messages, now }: LaneProps) {
  const { high, normal, campaign } = number.waiting
  return (
    <section class="card lane" aria-label={number.label}>
      <div class="lane-head">
        <div class="row between">
          <a class="row-link cut" href={pagePath(`numbers/${number.containerId}`)} dir="auto">
            {number.label}
          </a>
          <Status of={shownState(number)} />
        </div>
        <p class="num">{t.queue.waiting(high + normal + campaign)}</p>
        {campaign > 0 ? <p class="small muted num">{t.queue.ofCampaigns(campaign)}</p> : null}
        {high > 0 ? <p class="small is-held num">{t.queue.high(high)}</p> : null}
        {number.status !== 'WORKING' && high + normal + campaign > 0 ? (
          <p class="small is-held">{t.queue.stopped}</p>
        ) : null}
        {number.queueHeld ? <p class="small is-held">{t.queue.heldQueue}</p> : null}
      </div>
      {messages.length === 0 ? (
        <p class="lane-empty small muted">{t.queue.empty}</p>
      ) : (
        <ol class="departures">
          {messages.map((message) => (
            <Departure key={message.id} message={message} now={now} />
          ))}
        </ol>
      )}
    </section>
  )
}

function Departure({ message, now }: { readonly message: Waiting; readonly now: number }) {
  const takeBack = useAction(() => api.alert.cancel({ messageId: message.id }), { stale: ['queue', 'messages'] })
  return (
    <li class="departure">
      <DepartureTime message={message} now={now} />
      <Phone of={message.recipient} />
      <a class="cut" dir="auto" href={pagePath(`messages/${message.id}`)}>
        {message.content}
      </a>
      <span class="xs muted">{message.campaignId ? t.queue.campaign : ''}</span>
      {message.status === 'queued' ? (
        <button
          type="button"
          class="btn quiet mini"
          aria-label={t.queue.takeBack(phoneText(message.recipient))}
          title={t.message.takeBack}
          disabled={takeBack.busy}
          onClick={() => takeBack.run()}
        >
          <X size={14} aria-hidden />
        </button>
      ) : (
        <span />
      )}
    </li>
  )
}

function DepartureTime({ message, now }: { readonly message: Waiting; readonly now: number }) {
  const { leavesAt, waitsFor, estimated, status } = message
  if (status === 'sending') return <Status of="sending" />
  if (leavesAt === null) return <span class="small is-held">{waitsFor ? t.queue.until[waitsFor] : ''}</span>
  const leftMs = Date.parse(leavesAt) - now
  if (leftMs < 1000) return <span class="num strong is-sending">{t.queue.nowShort}</span>
  const text = leftMs < 10 * minuteMs ? t.time.inSpan(span(leftMs)) : dayAndTime(leavesAt)
  return (
    <span class={`num${leftMs < minuteMs ? ' strong is-sending' : ''}`} title={dayAndTime(leavesAt)}>
      {estimated ? `≈ ${text}` : text}
    </span>
  )
}
