import type { Delivery, EventKind } from '@msgctl/client'
import { keepPreviousData, useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { api } from '../api/client.ts'
import { useOverview } from '../api/live.ts'
import { pagePath } from '../api/place.ts'
import { useAction } from '../api/use-action.ts'
import type { PathValues } from '../routes.ts'
import { useFeature } from '../session/session.ts'
import { Locked } from '../shell/locked.tsx'
import { Button } from '../ui/button.tsx'
import { Filters } from '../ui/filters.tsx'
import { Card, Empty, Page } from '../ui/layout.tsx'
import { Webhook } from '../ui/marks.ts'
import { Pager } from '../ui/pager.tsx'
import { LoadState } from '../ui/problem.tsx'
import { Status } from '../ui/status.tsx'
import { toast } from '../ui/toast.tsx'
import { When } from '../ui/when.tsx'
import { t } from '../words/index.ts'
import { number } from '../words/plural.ts'
import { DeliveryPanel } from './delivery-panel.tsx'
import { Endpoints } from './endpoints.tsx'
import { LiveTail } from './live-tail.tsx'
import { Receiver } from './receiver.tsx'
import '../styles/webhook.css'

const statuses = ['all', 'delivered', 'pending', 'dropped'] as const
type StatusFilter = (typeof statuses)[number]

const pageSize = 25
const maxAttempts = 5

/** Where events are posted, every delivery with its attempts, and events as they happen. */
export function WebhookPage({ id }: PathValues) {
  const isUnlocked = useFeature('webhooks')
  const overview = useOverview()
  const sample = useAction(() => api.webhook.test({}), { stale: ['deliveries'], done: t.webhook.sampleSent })
  const replay = useAction(
    async () => {
      const { count } = await api.webhook.replayDeliveries({ status: 'dropped' })
      toast(t.webhook.replayed(count))
    },
    { stale: ['deliveries'] },
  )
  if (!isUnlocked) return <Locked name="webhook" />
  const dropped = overview?.deliveries?.dropped24h ?? 0
  return (
    <Page
      title={t.nav.webhook}
      actions={
        <>
          {dropped > 0 ? <Button action={replay} label={t.webhook.replayAll} /> : null}
          <Button action={sample} label={t.webhook.sample} />
        </>
      }
    >
      <div class="split webhook-split" data-open={id !== undefined}>
        <div class="stack">
          <Receiver />
          <Deliveries current={id} />
          <Endpoints />
        </div>
        {id === undefined ? <LiveTail /> : <DeliveryPanel key={id} id={id} />}
      </div>
    </Page>
  )
}

function Deliveries({ current }: { readonly current: string | undefined }) {
  const { query, route, path } = useLocation()
  const status = statuses.find((each) => each === query.status) ?? 'all'
  const [kind, setKind] = useState<EventKind | ''>('')
  const [page, setPage] = useState(1)
  const setStatus = (value: StatusFilter) => {
    setPage(1)
    route(value === 'all' ? path : `${path}?status=${value}`, true)
  }
  const list = useQuery({
    queryKey: ['deliveries', status, kind, page],
    placeholderData: keepPreviousData,
    queryFn: () =>
      api.webhook.deliveries({
        page,
        limit: pageSize,
        ...(status === 'all' ? {} : { status }),
        ...(kind ? { event: kind } : {}),
      }),
  })
  const deliveries = list.data?.deliveries ?? []
  return (
    <Card
      title={t.webhook.deliveries}
      aside={
        <span class="row wrap">
          <Filters
            label={t.webhook.state}
            value={status}
            options={statuses.map((each) => [each, t.webhook.filters[each]])}
            onChange={setStatus}
          />
          <KindSelect value={kind} onChange={setKind} />
        </span>
      }
    >
      <LoadState of={list} />
      {list.isSuccess && deliveries.length === 0 ? (
        <Empty
          title={status === 'all' && !kind ? t.webhook.none : t.webhook.noneMatch}
          mark={<Webhook size={20} aria-hidden />}
        >
          {status === 'all' && !kind ? t.webhook.noneHint : null}
        </Empty>
      ) : null}
      {deliveries.length > 0 ? <DeliveryTable deliveries={deliveries} current={current} status={status} /> : null}
      {list.data ? <Pager page={page} limit={pageSize} total={list.data.total} onChange={setPage} /> : null}
    </Card>
  )
}

interface KindSelectProps {
  readonly value: EventKind | ''
  readonly onChange: (kind: EventKind | '') => void
}

const kinds = Object.keys(t.eventKinds) as EventKind[]

function KindSelect({ value, onChange }: KindSelectProps) {
  return (
    <select
      class="input compact"
      aria-label={t.webhook.event}
      value={value}
      onChange={(event) => {
        const chosen = event.currentTarget.value
        onChange(kinds.find((each) => each === chosen) ?? '')
      }}
    >
      <option value="">{t.webhook.everyEvent}</option>
      {kinds.map((each) => (
        <option key={each} value={each}>
          {each}
        </option>
      ))}
    </select>
  )
}

interface DeliveryTableProps {
  readonly deliveries: readonly Delivery[]
  readonly current: string | undefined
  readonly status: StatusFilter
}

function DeliveryTable({ deliveries, current, status }: DeliveryTableProps) {
  const query = status === 'all' ? '' : `?status=${status}`
  return (
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th>{t.webhook.state}</th>
            <th>{t.webhook.event}</th>
            <th class="end">{t.webhook.attempts}</th>
            <th>{t.webhook.answer}</th>
            <th class="end">{t.webhook.when}</th>
          </tr>
        </thead>
        <tbody>
          {deliveries.map((delivery) => (
            <tr key={delivery.id} aria-current={delivery.id === current ? 'true' : undefined}>
              <td>
                <Status of={delivery.status} />
              </td>
              <td class="nowrap">
                <a class="row-link mono" href={pagePath(`webhook/${delivery.id}${query}`)}>
                  {delivery.event}
                </a>{' '}
                {delivery.replay ? <span class="tag">{t.webhook.again}</span> : null}{' '}
                {delivery.sample ? <span class="tag">{t.webhook.isSample}</span> : null}
              </td>
              <td class="end num nowrap">{t.webhook.ofAttempts(number(delivery.attempts), number(maxAttempts))}</td>
              <td class="wide">
                <span class="cut block muted">{delivery.lastStatus ?? delivery.lastError ?? '—'}</span>
              </td>
              <td class="end muted nowrap">
                <When at={delivery.createdAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
