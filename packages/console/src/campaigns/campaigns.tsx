import type { Campaign } from '@msgctl/client'
import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { api } from '../api/client.ts'
import { pagePath } from '../api/place.ts'
import { Bar, partsOf } from '../ui/bar.tsx'
import { Filters } from '../ui/filters.tsx'
import { Card, Empty, Page } from '../ui/layout.tsx'
import { Megaphone } from '../ui/marks.ts'
import { LoadState } from '../ui/problem.tsx'
import { Status } from '../ui/status.tsx'
import { When } from '../ui/when.tsx'
import { t } from '../words/index.ts'
import { number } from '../words/plural.ts'
import '../styles/campaigns.css'

type Filter = keyof typeof t.campaigns.filters

const groups: Readonly<Record<Campaign['status'], Filter>> = {
  draft: 'draft',
  scheduled: 'active',
  sending: 'active',
  paused: 'active',
  completed: 'ended',
  cancelled: 'ended',
}

/** The campaigns, newest first. */
export function Campaigns() {
  const list = useQuery({ queryKey: ['campaigns'], queryFn: () => api.campaigns.list() })
  const [filter, setFilter] = useState<Filter>('all')
  const all = list.data?.campaigns.toReversed() ?? []
  const shown = all.filter(({ status }) => filter === 'all' || groups[status] === filter)
  const create = (
    <a class="btn primary" href={pagePath('campaigns/new')}>
      {t.campaigns.create}
    </a>
  )
  return (
    <Page title={t.nav.campaigns} actions={create}>
      <Card
        title={
          <Filters
            label={t.campaigns.state}
            value={filter}
            options={(['all', 'active', 'draft', 'ended'] as const).map((each) => [each, t.campaigns.filters[each]])}
            onChange={setFilter}
          />
        }
      >
        <LoadState of={list} />
        {list.data && shown.length === 0 ? (
          <Empty title={t.campaigns.empty} mark={<Megaphone size={20} aria-hidden />}>
            {t.campaigns.emptyHint}
          </Empty>
        ) : null}
        {shown.length > 0 ? <CampaignTable campaigns={shown} /> : null}
      </Card>
    </Page>
  )
}

function CampaignTable({ campaigns }: { readonly campaigns: readonly Campaign[] }) {
  return (
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th>{t.campaigns.name}</th>
            <th>{t.campaigns.state}</th>
            <th class="progress-column">{t.campaigns.progress}</th>
            <th class="end">{t.campaigns.recipients}</th>
            <th class="end">{t.campaigns.created}</th>
          </tr>
        </thead>
        <tbody>
          {campaigns.map(({ id, name, status, stats, startError, createdAt }) => (
            <tr key={id}>
              <td>
                <a class="row-link" href={pagePath(`campaigns/${id}`)} dir="auto">
                  {name}
                </a>
                {startError ? <span class="block error">{startError}</span> : null}
              </td>
              <td>
                <Status of={status} />
              </td>
              <td>
                <Bar label={name} total={stats.total} parts={partsOf(stats)} />
              </td>
              <td class="end num">{number(stats.total)}</td>
              <td class="end muted nowrap">
                <When at={createdAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
