import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/preact-query'
import { useEffect, useState } from 'preact/hooks'
import { admin } from '../api/admin-client.ts'
import { pagePath } from '../api/place.ts'
import type { PathValues } from '../routes.ts'
import { Button } from '../ui/button.tsx'
import { Card, Empty, Facts, Page } from '../ui/layout.tsx'
import { UserCog } from '../ui/marks.ts'
import { LoadState } from '../ui/problem.tsx'
import { Scroll } from '../ui/scroll.tsx'
import { dayOf, leftToRight, listOf } from '../words/format.ts'
import { t } from '../words/index.ts'
import { number } from '../words/plural.ts'
import { OrganizationDetails } from './organization-details.tsx'
import { type Organization, planText, productsText } from './organization-words.ts'
import '../styles/billing.css'

type State = keyof typeof t.platform.states
type PlanStatus = keyof typeof t.billing.statuses

const searchDelayMs = 300

const states = Object.keys(t.platform.states) as State[]
const statuses = Object.keys(t.billing.statuses) as PlanStatus[]

/** The organizations of the service with their state, one of them, and the figures: for the platform's staff. */
export function AdminPage({ id }: PathValues) {
  // What is refused is refused for all parts of the page, and is said once.
  const figures = useQuery({ queryKey: ['admin-billing'], queryFn: () => admin.platform.billing() })
  return (
    <Page title={t.nav.admin} beside={<span class="small muted">{t.platform.changes}</span>}>
      {figures.data && id ? (
        <OrganizationDetails organizationId={id} />
      ) : (
        <Card title={t.platform.figures}>
          <LoadState of={figures} />
          {figures.data ? (
            <div class="pad wide-facts">
              <Facts facts={factsOf(figures.data.billing)} />
            </div>
          ) : null}
        </Card>
      )}
      {figures.data ? <Organizations /> : null}
    </Page>
  )
}

type AllFigures = Awaited<ReturnType<typeof admin.platform.billing>>['billing']

function factsOf(figures: AllFigures): readonly (readonly [string, string])[] {
  const { subscriptions, trials, monthlyRecurring, failedPayments30Days } = figures
  const words = t.platform
  const byStatus = Object.entries(subscriptions) as [keyof typeof subscriptions, number][]
  return [
    ...byStatus.map(([status, count]) => [t.billing.statuses[status], number(count)] as const),
    [words.trials, number(trials)],
    [words.monthly, listOf(monthlyRecurring.map(({ text }) => leftToRight(text))) || t.ui.none],
    [words.failed, number(failedPayments30Days)],
    [words.disputes, number(figures.disputesOpen)],
    [words.eventsWaiting, number(figures.eventsWaiting)],
    [words.operations, number(figures.operationsOpen)],
  ]
}

function Organizations() {
  const words = t.platform
  const [text, setText] = useState('')
  const [search, setSearch] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSearch(text.trim()), searchDelayMs)
    return () => clearTimeout(timer)
  }, [text])
  const [state, setState] = useState<State>('')
  const [plan, setPlan] = useState<PlanStatus | ''>('')
  const wanted = {
    ...(search ? { search } : {}),
    ...(state ? { state } : {}),
    ...(plan ? { billing: plan } : {}),
  }
  const list = useInfiniteQuery({
    queryKey: ['admin-organizations', wanted],
    initialPageParam: '',
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam }) =>
      admin.platform.organizations({ ...wanted, ...(pageParam ? { cursor: pageParam } : {}) }),
    getNextPageParam: (last) => last.nextCursor ?? undefined,
  })
  const organizations = list.data?.pages.flatMap((page) => page.organizations) ?? []
  return (
    <Card title={words.organizations}>
      <div class="pad row wrap admin-search">
        <input
          class="input search"
          type="search"
          aria-label={words.search}
          placeholder={words.search}
          maxLength={100}
          value={text}
          dir="auto"
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <select
          class="input compact"
          aria-label={words.state}
          onChange={(event) => setState(states.find((each) => each === event.currentTarget.value) ?? '')}
        >
          {states.map((each) => (
            <option key={each} value={each} selected={each === state}>
              {words.states[each]}
            </option>
          ))}
        </select>
        <select
          class="input compact"
          aria-label={words.plan}
          onChange={(event) => setPlan(statuses.find((each) => each === event.currentTarget.value) ?? '')}
        >
          <option value="">{words.everyPlan}</option>
          {statuses.map((each) => (
            <option key={each} value={each} selected={each === plan}>
              {t.billing.statuses[each]}
            </option>
          ))}
        </select>
      </div>
      <LoadState of={list} />
      {list.isSuccess && organizations.length === 0 ? (
        <Empty title={words.none} mark={<UserCog size={20} aria-hidden />} />
      ) : null}
      {organizations.length > 0 ? <Rows organizations={organizations} /> : null}
      {list.hasNextPage ? (
        <footer>
          <Button disabled={list.isFetchingNextPage} onClick={() => list.fetchNextPage()} label={words.more} />
        </footer>
      ) : null}
    </Card>
  )
}

function Rows({ organizations }: { readonly organizations: readonly Organization[] }) {
  const words = t.platform
  return (
    <Scroll label={words.organizations}>
      <table>
        <thead>
          <tr>
            <th>{words.name}</th>
            <th>{words.owner}</th>
            <th>{words.state}</th>
            <th>{words.products}</th>
            <th>{words.plan}</th>
            <th class="end">{words.numbers}</th>
            <th>{words.since}</th>
          </tr>
        </thead>
        <tbody>
          {organizations.map((one) => (
            <tr key={one.id}>
              <td>
                <a href={pagePath(`admin/${one.id}`)} dir="auto">
                  <b>{one.name}</b>
                </a>
                {one.platformAdmin ? <span class="block xs muted">{words.admin}</span> : null}
              </td>
              <td class="muted">{one.owner?.email ?? '—'}</td>
              <td>{words.states[one.state]}</td>
              <td class="small">{productsText(one)}</td>
              <td class="small">{planText(one)}</td>
              <td class="end num">{number(one.numbers.used)}</td>
              <td class="muted nowrap">{dayOf(one.createdAt)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}
