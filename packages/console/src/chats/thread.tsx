import type { ChatMessage } from '@msgctl/client'
import { useInfiniteQuery } from '@tanstack/preact-query'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { api, refresh } from '../api/client.ts'
import { pagePath } from '../api/place.ts'
import { Face } from '../ui/contact.tsx'
import { ChevronLeft } from '../ui/marks.ts'
import { LoadProblem } from '../ui/problem.tsx'
import { Status } from '../ui/status.tsx'
import { When } from '../ui/when.tsx'
import { dayName, phoneText } from '../words/format.ts'
import { t } from '../words/index.ts'
import { Attachment } from './attachment.tsx'
import { Reply } from './reply.tsx'

const pageSize = 60

interface ThreadProps {
  readonly phone: string
  readonly containerId: string | undefined
}

function useThread({ phone, containerId }: ThreadProps) {
  return useInfiniteQuery({
    queryKey: ['thread', phone, containerId],
    initialPageParam: '',
    queryFn: ({ pageParam }) =>
      api.chats.thread({
        phone,
        limit: pageSize,
        ...(containerId ? { containerId } : {}),
        ...(pageParam ? { before: pageParam } : {}),
      }),
    getNextPageParam: (last) => (last.messages.length < pageSize ? undefined : last.messages[0]?.id),
  })
}

/** One chat with its messages and a box to reply. Opening it marks its messages read. */
export function Thread({ phone, containerId }: ThreadProps) {
  const { route } = useLocation()
  const thread = useThread({ phone, containerId })
  const messages = thread.data?.pages.toReversed().flatMap((page) => page.messages) ?? []
  const first = thread.data?.pages[0]
  const lastId = messages.at(-1)?.id
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight
  }, [lastId])
  useEffect(() => {
    if (!messages.some(({ direction }) => direction === 'in')) return
    void api.chats.read({ phone }).then(
      ({ marked }) => {
        if (marked > 0) refresh('chats')
      },
      () => {},
    )
  }, [lastId])
  return (
    <section class="thread" aria-label={t.inbox.thread}>
      <header>
        <button
          type="button"
          class="btn quiet icon only-narrow"
          aria-label={t.inbox.back}
          onClick={() => route(pagePath('inbox'))}
        >
          <ChevronLeft size={16} class="flip" aria-hidden />
        </button>
        <Face id={phone} name={first?.name ?? null} />
        <span class="grow">
          <b class="cut block" dir="auto">
            {first?.name ?? phoneText(phone)}
          </b>
          <a class="xs muted num" href={pagePath(`messages?search=${encodeURIComponent(phone)}`)}>
            {phoneText(phone)}
          </a>
        </span>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <div class="bubbles" ref={box} role="log" aria-label={t.inbox.thread} tabIndex={0}>
        {thread.isError ? <LoadProblem error={thread.error} retry={() => thread.refetch()} /> : null}
        {thread.hasNextPage ? (
          <button type="button" class="btn earlier" disabled={thread.isFetching} onClick={() => thread.fetchNextPage()}>
            {t.inbox.earlier}
          </button>
        ) : null}
        <Bubbles messages={messages} />
        {first?.unsent?.map(({ id, text, at, status, error }) => (
          <a key={id} class="bubble mine unsent" href={pagePath(`messages/${id}`)}>
            <span dir="auto">{text}</span>
            <footer>
              {error ? <span class="is-failed">{error}</span> : null}
              <When at={at} />
              <Status of={status} bare />
            </footer>
          </a>
        ))}
      </div>
      <Reply key={phone} phone={phone} containerId={containerId} />
    </section>
  )
}

function Bubbles({ messages }: { readonly messages: readonly ChatMessage[] }) {
  let day = ''
  return (
    <>
      {messages.flatMap(({ id, direction, text, at, status, type, attachment }) => {
        const name = dayName(at)
        const isNewDay = name !== day
        day = name
        return [
          isNewDay ? (
            <p key={name} class="day">
              {name}
            </p>
          ) : null,
          <div key={id} class={`bubble${direction === 'out' ? ' mine' : ''}`}>
            {attachment ? <Attachment id={id} file={attachment} /> : null}
            {text || !attachment ? <span dir="auto">{text || t.inbox.kinds(type ?? '')}</span> : null}
            <footer>
              <When at={at} />
              {direction === 'out' && status ? <Status of={status} bare /> : null}
            </footer>
          </div>,
        ]
      })}
    </>
  )
}
