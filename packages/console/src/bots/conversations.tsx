import type { BotsConversationsOutput } from '@msgctl/client/admin'
import { keepPreviousData, useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { admin } from '../api/admin-client.ts'
import { pagePath } from '../api/place.ts'
import { useAction } from '../api/use-action.ts'
import { useFeature } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Phone } from '../ui/contact.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Filters } from '../ui/filters.tsx'
import { Card, Empty } from '../ui/layout.tsx'
import { Pager } from '../ui/pager.tsx'
import { LoadState } from '../ui/problem.tsx'
import { When } from '../ui/when.tsx'
import { t } from '../words/index.ts'
import type { AssistantProps } from './assistant.tsx'
import { languageName } from './language-name.ts'
import { words } from './words.ts'

type Conversation = BotsConversationsOutput['conversations'][number]
const pageSize = 50
const pollMs = 10_000
const states = ['', 'assistant', 'person', 'ordering'] as const

/** The conversations of an assistant, and who answers in each. */
export function Conversations({ bot, mayManage }: AssistantProps) {
  const [state, setState] = useState<(typeof states)[number]>('')
  const [page, setPage] = useState(1)
  const [shown, setShown] = useState<Conversation | null>(null)
  const list = useQuery({
    queryKey: ['bots', bot.id, 'conversations', state, page],
    placeholderData: keepPreviousData,
    refetchInterval: pollMs,
    queryFn: () => admin.bots.conversations({ botId: bot.id, page, limit: pageSize, ...(state ? { state } : {}) }),
  })
  return (
    <Card
      title={words.partNames.conversations}
      aside={
        <Filters
          label={words.state}
          value={state}
          options={states.map((each) => [each, each ? words.states[each] : t.ui.all] as const)}
          onChange={(value) => {
            setState(value)
            setPage(1)
          }}
        />
      }
    >
      <LoadState of={list} />
      {list.data?.conversations.length === 0 ? <Empty title={words.noConversations} /> : null}
      <ul class="items">
        {list.data?.conversations.map((conversation) => (
          <li key={conversation.id}>
            <button type="button" class="item" onClick={() => setShown(conversation)}>
              <span class="grow">
                <Phone of={conversation.contactPhone} />
                <span class="block small muted">{languageName(conversation.lang)}</span>
              </span>
              <span class={conversation.state === 'person' ? 'is-held strong' : 'muted'}>
                {conversation.closedAt ? words.ended : words.states[conversation.state]}
              </span>
              <span class="xs muted">
                <When at={conversation.lastAt} />
              </span>
            </button>
          </li>
        ))}
      </ul>
      {list.data ? <Pager page={page} limit={pageSize} total={list.data.total} onChange={setPage} /> : null}
      {shown === null ? null : (
        <ConversationDialog
          botId={bot.id}
          id={shown.id}
          phone={shown.contactPhone}
          mayManage={mayManage}
          onClose={() => setShown(null)}
        />
      )}
    </Card>
  )
}

interface ConversationDialogProps {
  readonly botId: string
  readonly id: string
  readonly phone: string
  readonly mayManage: boolean
  readonly onClose: () => void
}

function ConversationDialog({ botId, id: conversationId, phone, mayManage, onClose }: ConversationDialogProps) {
  const hasInbox = useFeature('inbox')
  const found = useQuery({
    queryKey: ['bots', botId, 'conversation', conversationId],
    refetchInterval: pollMs,
    queryFn: () => admin.bots.conversation({ botId, conversationId }),
  })
  const stale = ['bots']
  const takeOver = useAction(() => admin.bots.takeOver({ botId, conversationId }), { stale })
  const giveBack = useAction(() => admin.bots.giveBack({ botId, conversationId }), { stale })
  const conversation = found.data?.conversation
  const isOpen = conversation !== undefined && conversation.closedAt === null
  return (
    <Dialog title={words.conversation} onClose={onClose}>
      <div class="dialog-body">
        <p>
          <Phone of={phone} />
        </p>
        <LoadState of={found} />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
        <div class="bubbles turns" role="log" aria-label={words.conversation} tabIndex={0}>
          {found.data?.turns.flatMap(({ at, question, said, kind }) => [
            <div key={`${at} asked`} class="bubble">
              <span dir="auto">{question}</span>
              <footer>
                <When at={at} />
              </footer>
            </div>,
            <div key={`${at} said`} class="bubble mine">
              <span dir="auto">{said ?? '—'}</span>
              <footer>{words.turns[kind]}</footer>
            </div>,
          ])}
        </div>
        <footer>
          {hasInbox ? (
            <a class="btn" href={pagePath(`inbox/${encodeURIComponent(phone)}`)} onClick={onClose}>
              {words.openChat}
            </a>
          ) : null}
          {isOpen && mayManage ? (
            conversation.state === 'person' ? (
              <Button kind="primary" action={giveBack} label={words.giveBack} />
            ) : (
              <Button kind="primary" action={takeOver} label={words.takeOver} />
            )
          ) : null}
        </footer>
      </div>
    </Dialog>
  )
}
