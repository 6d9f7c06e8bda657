import type { BotsGetOutput } from '@msgctl/client/admin'
import { useQuery } from '@tanstack/preact-query'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { admin } from '../api/admin-client.ts'
import { pagePath } from '../api/place.ts'
import { useAction } from '../api/use-action.ts'
import type { PathValues } from '../routes.ts'
import { useMayManage } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Loading, Page } from '../ui/layout.tsx'
import { LoadProblem } from '../ui/problem.tsx'
import { Status } from '../ui/status.tsx'
import { t } from '../words/index.ts'
import { Answers } from './answers.tsx'
import { Catalogue } from './catalogue.tsx'
import { Conversations } from './conversations.tsx'
import { Orders } from './orders.tsx'
import { Reviews } from './reviews.tsx'
import { AssistantSettings } from './settings.tsx'
import { TryIt } from './try-it.tsx'
import { words } from './words.ts'
import '../styles/bots.css'

const parts = {
  '': Overview,
  answers: Answers,
  reviews: Reviews,
  conversations: Conversations,
  catalogue: Catalogue,
  orders: Orders,
} as const
type Part = keyof typeof parts

type Bot = BotsGetOutput['bot']

/** What every part of an assistant gets. */
export interface AssistantProps {
  readonly bot: Bot
  readonly mayManage: boolean
}

function Overview(props: AssistantProps) {
  return (
    <div class="columns">
      <AssistantSettings {...props} />
      <TryIt {...props} />
    </div>
  )
}

/** One assistant: its settings, what it knows, what it left to people, and its shop. */
export function AssistantPage({ id = '', part = '' }: PathValues) {
  const found = useQuery({ queryKey: ['bots', id], queryFn: () => admin.bots.get({ botId: id }) })
  const mayManage = useMayManage()
  const tabs = useRef<HTMLElement>(null)
  const isLoaded = found.data !== undefined
  // In narrow windows the tabs scroll; the chosen one is brought into sight.
  useEffect(() => {
    const chosenTab = tabs.current?.querySelector('[aria-current]')
    chosenTab?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [part, isLoaded])
  const back = [pagePath('assistants'), t.nav.assistants] as const
  if (!found.data)
    return (
      <Page title={words.one} back={back}>
        {found.isError ? <LoadProblem error={found.error} retry={() => found.refetch()} /> : <Loading />}
      </Page>
    )
  const { bot } = found.data
  const chosen: Part = part in parts ? (part as Part) : ''
  const Content = parts[chosen]
  return (
    <Page
      title={bot.name}
      back={back}
      beside={<Status of={bot.status} />}
      actions={mayManage ? <Actions bot={bot} /> : null}
    >
      {bot.notice ? <p class="note held">{words.notices[bot.notice]}</p> : null}
      <nav class="tabs" aria-label={words.parts} ref={tabs}>
        {(Object.keys(parts) as Part[])
          .filter((each) => bot.shop !== null || (each !== 'catalogue' && each !== 'orders'))
          .map((each) => (
            <a
              key={each}
              href={pagePath(each ? `assistants/${id}/${each}` : `assistants/${id}`)}
              aria-current={each === chosen ? 'page' : undefined}
            >
              {words.partNames[each]}
            </a>
          ))}
      </nav>
      <Content key={chosen} bot={bot} mayManage={mayManage} />
    </Page>
  )
}

function Actions({ bot: { id: botId, name, status } }: { readonly bot: Bot }) {
  const { route } = useLocation()
  const [deleting, setDeleting] = useState(false)
  const stale = ['bots']
  const activate = useAction(() => admin.bots.activate({ botId }), { stale, done: words.activated })
  const pause = useAction(() => admin.bots.pause({ botId }), { stale, done: words.paused })
  const remove = useAction(
    async () => {
      await admin.bots.delete({ botId })
      route(pagePath('assistants'))
    },
    { stale },
  )
  if (status === 'active') return <Button action={pause} label={words.pause} />
  return (
    <>
      <Button kind="danger" onClick={() => setDeleting(true)} label={words.delete} />
      <Button kind="primary" action={activate} label={words.activate} />
      {deleting ? (
        <Confirm
          title={words.deleteTitle(name)}
          act={words.delete}
          action={remove}
          onClose={() => setDeleting(false)}
          type={name.trim()}
        >
          <p>{words.deleteHint}</p>
        </Confirm>
      ) : null}
    </>
  )
}
