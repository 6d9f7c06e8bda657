import type { Message } from '@msgctl/client'
import { messageStatuses } from '@msgctl/contract/states'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/preact-query'
import { useEffect, useMemo, useState } from 'preact/hooks'
import lazy from 'preact-iso/lazy'
import { useLocation } from 'preact-iso/router'
import { api, mostPages, newestMeta, queries } from '../api/client.ts'
import { pagePath } from '../api/place.ts'
import { SendDialog } from '../overview/lazy-send-dialog.ts'
import type { PathValues } from '../routes.ts'
import { Button } from '../ui/button.tsx'
import { Phone } from '../ui/contact.tsx'
import { Filters } from '../ui/filters.tsx'
import { Card, Empty, Page } from '../ui/layout.tsx'
import { List } from '../ui/list.tsx'
import { MessageSquareText, Send } from '../ui/marks.ts'
import { LoadState } from '../ui/problem.tsx'
import { Status } from '../ui/status.tsx'
import { When } from '../ui/when.tsx'
import { t } from '../words/index.ts'
import { number } from '../words/plural.ts'
import { filterOf, inputOf, isFiltered, type MessageFilter, queryOf } from './filter.ts'
import { MoreFilters } from './more-filters.tsx'
import { withNewest } from './newest.ts'
import '../styles/messages.css'

const Inspector = lazy(() => import('./inspector.tsx').then(({ Inspector }) => Inspector))

const pageSize = 100
const searchDelayMs = 300

/** Every message, by filter; beside the list the chosen one. */
export function Messages({ id }: PathValues) {
  const { query, route } = useLocation()
  const filter = filterOf(query)
  const [sending, setSending] = useState(false)
  const path = id ? `messages/${id}` : 'messages'
  const change = (part: Partial<MessageFilter>) => route(pagePath(path + queryOf({ ...filter, ...part })), true)
  return (
    <Page
      title={t.nav.messages}
      fill
      actions={
        <button type="button" class="btn primary" onClick={() => setSending(true)}>
          <Send size={15} class="flip" aria-hidden />
          {t.home.send}
        </button>
      }
    >
      <div class="split" data-open={id !== undefined}>
        <MessageList filter={filter} current={id} onChange={change} />
        {id ? (
          <Inspector key={id} id={id} back={pagePath(`messages${queryOf(filter)}`)} />
        ) : (
          <Card>
            <Empty title={t.messages.choose} mark={<MessageSquareText size={20} aria-hidden />} />
          </Card>
        )}
      </div>
      {sending ? <SendDialog onClose={() => setSending(false)} /> : null}
    </Page>
  )
}

interface MessageListProps {
  readonly filter: MessageFilter
  readonly current: string | undefined
  readonly onChange: (part: Partial<MessageFilter>) => void
}

function useMessages(filter: MessageFilter) {
  const queryKey = ['messages', filter]
  const list = useInfiniteQuery({
    queryKey,
    meta: newestMeta,
    initialPageParam: '',
    placeholderData: keepPreviousData,
    // Comparing every loaded message with itself for each further page would take minutes in a long list.
    structuralSharing: false,
    queryFn: ({ pageParam }) =>
      api.messages.list({
        ...inputOf(filter, Date.now()),
        limit: pageSize,
        ...(pageParam ? { cursor: pageParam } : {}),
      }),
    getNextPageParam: (last) => last.nextCursor ?? undefined,
  })
  const pages = list.data?.pages ?? []
  const newest = useQuery({
    queryKey: ['messages', 'newest', filter],
    enabled: pages.length > mostPages,
    queryFn: () => api.messages.list({ ...inputOf(filter, Date.now()), limit: pageSize }),
  })
  const loaded = useMemo(() => pages.flatMap(({ messages }) => messages), [list.data])
  const rows = useMemo(
    () => (pages.length > mostPages && newest.data ? withNewest(loaded, newest.data.messages) : loaded),
    [loaded, newest.data],
  )
  useEffect(() => {
    if (rows === null) void queries.resetQueries({ queryKey, exact: true })
  }, [rows])
  return { list, rows: rows ?? loaded }
}

function MessageList({ filter, current, onChange }: MessageListProps) {
  const { list, rows } = useMessages(filter)
  const first = list.data?.pages[0]
  const query = queryOf(filter)
  return (
    <Card class="message-list">
      <div class="list-head">
        <Filters
          label={t.messages.state}
          value={filter.status}
          options={[['', t.ui.all], ...messageStatuses.map((status) => [status, t.status[status]] as const)]}
          onChange={(status) => onChange({ status })}
        />
        <div class="row wrap">
          <Search value={filter.search} onChange={(search) => onChange({ search })} />
          <MoreFilters filter={filter} onChange={onChange} />
        </div>
      </div>
      <LoadState of={list} />
      {list.isSuccess && rows.length === 0 ? (
        <Empty title={list.hasNextPage ? t.messages.noneYet : t.messages.none}>
          {list.hasNextPage ? (
            <Button
              disabled={list.isFetchingNextPage}
              onClick={() => list.fetchNextPage()}
              label={t.messages.searchOlder}
            />
          ) : isFiltered(filter) ? (
            <button
              type="button"
              class="btn"
              onClick={() => onChange({ status: '', type: '', search: '', containerId: '', campaignId: '', hours: '' })}
            >
              {t.messages.clear}
            </button>
          ) : (
            t.messages.noneHint
          )}
        </Empty>
      ) : null}
      {rows.length > 0 ? (
        <List
          label={t.nav.messages}
          class="message-rows"
          rows={rows}
          onEnd={() => {
            if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage()
          }}
          row={(message) => ({
            key: message.id,
            href: pagePath(`messages/${message.id}${query}`),
            current: message.id === current,
            content: <MessageRow message={message} />,
          })}
        />
      ) : null}
      <footer class="xs muted num">
        {first
          ? t.messages.loaded(
              number(rows.length),
              first.totalIsExact === false ? t.messages.atLeast(number(first.total)) : number(first.total),
            )
          : null}
      </footer>
    </Card>
  )
}

function kindOf({ campaignId, reminderId, type }: Message): string {
  if (campaignId) return t.messages.kinds.campaign
  if (reminderId) return t.messages.kinds.reminder
  return type === 'otp' ? t.messages.kinds.code : t.messages.kinds.send
}

function MessageRow({ message }: { readonly message: Message }) {
  const { status, held, recipient, errorCode, content, createdAt } = message
  return (
    <>
      <Status of={held ? 'held' : status} />
      <Phone of={recipient} />
      {errorCode ? (
        <span class="cut is-failed mono">{errorCode}</span>
      ) : (
        <span class="cut" dir="auto">
          {content}
        </span>
      )}
      <span class="xs muted cut">{kindOf(message)}</span>
      <span class="xs muted end">
        <When at={createdAt} />
      </span>
    </>
  )
}

function Search({ value, onChange }: { readonly value: string; readonly onChange: (value: string) => void }) {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  useEffect(() => {
    if (text === value) return
    const timer = setTimeout(() => onChange(text), searchDelayMs)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <input
      class="input search"
      type="search"
      maxLength={100}
      aria-label={t.messages.search}
      placeholder={t.messages.search}
      dir="auto"
      value={text}
      onInput={(event) => setText(event.currentTarget.value)}
    />
  )
}
