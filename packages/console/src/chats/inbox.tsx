import type { Chat } from '@msgctl/client'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/preact-query'
import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { api } from '../api/client.ts'
import { useOverview } from '../api/live.ts'
import { pagePath } from '../api/place.ts'
import type { PathValues } from '../routes.ts'
import { useFeature } from '../session/session.ts'
import { Locked } from '../shell/locked.tsx'
import { Button } from '../ui/button.tsx'
import { Face } from '../ui/contact.tsx'
import { Filters } from '../ui/filters.tsx'
import { Empty } from '../ui/layout.tsx'
import { Inbox } from '../ui/marks.ts'
import { LoadState } from '../ui/problem.tsx'
import { When } from '../ui/when.tsx'
import { phoneText } from '../words/format.ts'
import { t } from '../words/index.ts'
import { number } from '../words/plural.ts'
import { Thread } from './thread.tsx'
import '../styles/inbox.css'

const shows = ['to_answer', 'unread', 'all'] as const
type Show = (typeof shows)[number]

const pageSize = 50
const searchDelayMs = 300

/** The chats, those that wait for a reply first, and beside them the chosen one. */
export function InboxPage({ phone }: PathValues) {
  const isUnlocked = useFeature('inbox')
  const { query } = useLocation()
  const address = phone === undefined ? undefined : decodeURIComponent(phone)
  useEffect(() => {
    document.title = `${t.nav.inbox} · Msgctl`
  }, [])
  if (!isUnlocked) return <Locked name="inbox" />
  return (
    <div class="inbox" data-open={address !== undefined}>
      <h1 class="unseen">{t.nav.inbox}</h1>
      <ChatList current={address} containerId={query.number ?? ''} />
      {address === undefined ? (
        <div class="thread">
          <Empty title={t.inbox.choose} mark={<Inbox size={20} aria-hidden />} />
        </div>
      ) : (
        <Thread key={`${address}${query.from ?? ''}`} phone={address} containerId={query.from || undefined} />
      )}
    </div>
  )
}

function useChats(show: Show, search: string, containerId: string) {
  return useInfiniteQuery({
    queryKey: ['chats', show, search, containerId],
    initialPageParam: '',
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam }) =>
      api.chats.list({
        show,
        containerId: containerId || 'all',
        limit: pageSize,
        ...(search ? { search } : {}),
        ...(pageParam ? { cursor: pageParam } : {}),
      }),
    getNextPageParam: (last) => last.nextCursor ?? undefined,
  })
}

interface ChatListProps {
  readonly current: string | undefined
  readonly containerId: string
}

function ChatList({ current, containerId }: ChatListProps) {
  const { route, path } = useLocation()
  const overview = useOverview()
  const [show, setShow] = useState<Show>('to_answer')
  const [text, setText] = useState('')
  const [search, setSearch] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSearch(text.trim()), searchDelayMs)
    return () => clearTimeout(timer)
  }, [text])
  const chats = useChats(search ? 'all' : show, search, containerId)
  const shown = chats.data?.pages.flatMap((page) => page.chats) ?? []
  const numbers = overview?.numbers ?? []
  return (
    <section class="chats" aria-label={t.nav.inbox}>
      <div class="chats-head">
        {numbers.length > 1 ? (
          <select
            class="input"
            aria-label={t.inbox.number}
            value={containerId}
            onChange={(event) => {
              const chosen = event.currentTarget.value
              route(chosen ? `${path}?number=${chosen}` : path, true)
            }}
          >
            <option value="">{t.inbox.everyNumber}</option>
            {numbers.map((each) => (
              <option key={each.containerId} value={each.containerId}>
                {each.label}
              </option>
            ))}
          </select>
        ) : null}
        <input
          class="input"
          type="search"
          maxLength={100}
          aria-label={t.inbox.search}
          placeholder={t.inbox.search}
          dir="auto"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <Filters
          label={t.inbox.which}
          value={show}
          options={shows.map((each) => [each, t.inbox.show[each]])}
          onChange={setShow}
        />
      </div>
      <div class="chats-list">
        <LoadState of={chats} />
        {chats.isSuccess && shown.length === 0 ? (
          <Empty title={show === 'to_answer' && !search ? t.inbox.emptyToAnswer : t.inbox.empty}>
            {show === 'to_answer' && !search ? t.inbox.emptyToAnswerHint : null}
          </Empty>
        ) : null}
        <ul>
          {shown.map((chat) => (
            <li key={`${chat.containerId}${chat.phone}`}>
              <ChatLink
                chat={chat}
                isCurrent={chat.phone === current}
                label={
                  numbers.length > 1 ? numbers.find((each) => each.containerId === chat.containerId)?.label : undefined
                }
              />
            </li>
          ))}
        </ul>
        {chats.hasNextPage ? (
          <p class="pad">
            <Button disabled={chats.isFetchingNextPage} onClick={() => chats.fetchNextPage()} label={t.inbox.more} />
          </p>
        ) : null}
      </div>
    </section>
  )
}

interface ChatLinkProps {
  readonly chat: Chat
  readonly isCurrent: boolean
  /** The number of the chat, where there are several. */
  readonly label: string | undefined
}

function ChatLink({ chat, isCurrent, label }: ChatLinkProps) {
  const { phone, name, containerId, lastAt, lastDirection, lastMessage, lastAttachment, unread } = chat
  return (
    <a
      class={`chat${unread > 0 ? ' is-unread' : ''}`}
      href={pagePath(`inbox/${encodeURIComponent(phone)}?from=${containerId}`)}
      aria-current={isCurrent ? 'true' : undefined}
    >
      <Face id={phone} name={name} />
      <span class="cut chat-name" dir="auto">
        {name ?? phoneText(phone)}
      </span>
      <span class="xs muted">
        <When at={lastAt} />
      </span>
      <span class="cut small muted">
        {lastDirection === 'out' ? `${t.inbox.you} ` : ''}
        <span dir="auto">{lastMessage || lastAttachment}</span>
      </span>
      {unread > 0 ? (
        <span class="badge num">
          <span aria-hidden>{number(unread)}</span>
          <span class="unseen">{t.inbox.unread(number(unread))}</span>
        </span>
      ) : (
        <span class="xs muted cut">{label}</span>
      )}
    </a>
  )
}
