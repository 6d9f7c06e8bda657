import type { ActivityListOutput } from '@msgctl/client/admin'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { admin } from '../api/admin-client.ts'
import { Button } from '../ui/button.tsx'
import { Card, Empty, Page } from '../ui/layout.tsx'
import { Activity } from '../ui/marks.ts'
import { LoadState } from '../ui/problem.tsx'
import { Scroll } from '../ui/scroll.tsx'
import { dayAndTime, exactly } from '../words/format.ts'
import { t } from '../words/index.ts'

type Entry = ActivityListOutput['entries'][number]

const areas = Object.keys(t.activityPage.areas) as (keyof typeof t.activityPage.areas)[]

/** Who changed what in the organization. */
export function ActivityPage() {
  const [area, setArea] = useState<(typeof areas)[number]>('')
  const list = useInfiniteQuery({
    queryKey: ['activity', area],
    initialPageParam: '',
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam }) =>
      admin.activity.list({ ...(area ? { action: area } : {}), ...(pageParam ? { cursor: pageParam } : {}) }),
    getNextPageParam: (last) => last.nextCursor ?? undefined,
  })
  const entries = list.data?.pages.flatMap((page) => page.entries) ?? []
  return (
    <Page title={t.nav.activity} beside={<span class="small muted">{t.activityPage.intro}</span>}>
      <Card
        title={
          <select
            class="input compact"
            aria-label={t.activityPage.filter}
            value={area}
            onChange={(event) => setArea(areas.find((each) => each === event.currentTarget.value) ?? '')}
          >
            {areas.map((each) => (
              <option key={each} value={each}>
                {t.activityPage.areas[each]}
              </option>
            ))}
          </select>
        }
      >
        <LoadState of={list} />
        {list.isSuccess && entries.length === 0 ? (
          <Empty title={t.activityPage.none} mark={<Activity size={20} aria-hidden />} />
        ) : null}
        {entries.length > 0 ? <Entries entries={entries} /> : null}
        {list.hasNextPage ? (
          <footer>
            <Button
              disabled={list.isFetchingNextPage}
              onClick={() => list.fetchNextPage()}
              label={t.activityPage.more}
            />
          </footer>
        ) : null}
      </Card>
    </Page>
  )
}

function actorOf({ kind, name }: Entry['actor']): string {
  if (name) return name
  const known: Readonly<Record<string, string>> = t.activityPage.actors
  return known[kind] ?? kind
}

function detailsOf({ details }: Entry): string {
  return Object.entries(details)
    .map(([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
    .join(', ')
}

function Entries({ entries }: { readonly entries: readonly Entry[] }) {
  return (
    <Scroll label={t.nav.activity}>
      <table>
        <thead>
          <tr>
            <th>{t.activityPage.at}</th>
            <th>{t.activityPage.actor}</th>
            <th>{t.activityPage.action}</th>
            <th>{t.activityPage.details}</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.id}>
              <td class="num nowrap muted" title={exactly(entry.at)}>
                {dayAndTime(entry.at)}
              </td>
              <td>
                <span dir="auto">{actorOf(entry.actor)}</span>
                {entry.ip ? <span class="block xs muted">{t.activityPage.from(entry.ip)}</span> : null}
              </td>
              <td class="nowrap">
                <code>{entry.action}</code>
              </td>
              <td class="wide">
                <span class="cut block muted" title={detailsOf(entry)} dir="ltr">
                  {detailsOf(entry)}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}
