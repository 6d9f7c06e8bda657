import type { WebhookDeliveryOutput } from '@msgctl/client'
import { useQuery } from '@tanstack/preact-query'
import { useLocation } from 'preact-iso/router'
import { api } from '../api/client.ts'
import { pagePath } from '../api/place.ts'
import { useAction } from '../api/use-action.ts'
import { Button } from '../ui/button.tsx'
import { Code } from '../ui/code.tsx'
import { Copyable } from '../ui/copy.tsx'
import { Facts } from '../ui/layout.tsx'
import { X } from '../ui/marks.ts'
import { LoadState } from '../ui/problem.tsx'
import { Status } from '../ui/status.tsx'
import { When } from '../ui/when.tsx'
import { dayAndTime } from '../words/format.ts'
import { t } from '../words/index.ts'
import { number } from '../words/plural.ts'

/** One delivery: its attempts, what was posted, and the response. */
export function DeliveryPanel({ id }: { readonly id: string }) {
  const { query } = useLocation()
  const found = useQuery({ queryKey: ['deliveries', 'one', id], queryFn: () => api.webhook.delivery({ id }) })
  return (
    <section class="card" aria-label={t.webhook.delivery}>
      <header>
        {found.data ? <Status of={found.data.delivery.status} /> : <span>{t.webhook.delivery}</span>}
        <span class="row">
          {found.data ? <ReplayButton eventId={found.data.delivery.eventId} /> : null}
          <a
            class="btn quiet icon"
            href={pagePath(`webhook${query.status ? `?status=${query.status}` : ''}`)}
            aria-label={t.webhook.back}
          >
            <X size={16} aria-hidden />
          </a>
        </span>
      </header>
      <LoadState of={found} />
      {found.data ? <Content detail={found.data} /> : null}
    </section>
  )
}

function ReplayButton({ eventId }: { readonly eventId: string }) {
  const replay = useAction(() => api.events.replay({ id: eventId }), {
    stale: ['deliveries'],
    done: t.webhook.postedAgain,
  })
  return <Button kind="primary" action={replay} label={t.webhook.postAgain} />
}

function Content({ detail }: { readonly detail: WebhookDeliveryOutput }) {
  const { delivery, attempts, body } = detail
  const { event, eventId, url, nextAttemptAt, lastResponse } = delivery
  return (
    <div class="pad stack">
      <div>
        <p class="mono strong">{event}</p>
        <p class="small muted">{t.eventKinds[event]}</p>
      </div>
      <ol class="steps">
        {attempts.map(({ at, status, durationMs, error }, index) => (
          <li key={at} class="step">
            <Status of={status !== null && status < 300 ? 'delivered' : 'failed'} bare />
            <span class="break">
              {t.webhook.attempt(number(index + 1))}{' '}
              <span class="muted num">
                {status ?? ''} {durationMs === null ? '' : t.webhook.took(number(durationMs))}
              </span>
              {error ? <span class="block small muted">{error}</span> : null}
            </span>
            <span class="xs muted">
              <When at={at} seconds />
            </span>
          </li>
        ))}
      </ol>
      {nextAttemptAt ? <p class="note">{t.webhook.nextAttempt(dayAndTime(nextAttemptAt))}</p> : null}
      {lastResponse ? (
        <div class="field">
          <span>{t.webhook.response}</span>
          <Code label={t.webhook.response}>{lastResponse}</Code>
        </div>
      ) : null}
      <div class="field">
        <span>{t.webhook.body}</span>
        <Code label={t.webhook.body}>{JSON.stringify(body, null, 2)}</Code>
      </div>
      <Facts
        facts={[
          [t.webhook.address, url ?? '—'],
          [t.webhook.eventId, <Copyable key="event" text={eventId} />],
        ]}
      />
    </div>
  )
}
