import type { BotsListOutput, BotsUsageOutput } from '@msgctl/client/admin'
import { limits } from '@msgctl/contract/limits'
import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { admin } from '../api/admin-client.ts'
import { pagePath } from '../api/place.ts'
import { useAction } from '../api/use-action.ts'
import { useFeature, useMayManage } from '../session/session.ts'
import { Locked } from '../shell/locked.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Form, TextField, type Values } from '../ui/form.tsx'
import { Card, Empty, Facts, Page } from '../ui/layout.tsx'
import { MessageCircleQuestion } from '../ui/marks.ts'
import { LoadState } from '../ui/problem.tsx'
import { Status } from '../ui/status.tsx'
import { dayOf, listOf } from '../words/format.ts'
import { t } from '../words/index.ts'
import { number } from '../words/plural.ts'
import { languageName } from './language-name.ts'
import { words } from './words.ts'

/** The assistants, and what they did this month. */
export function Assistants() {
  const isUnlocked = useFeature('bots')
  const mayManage = useMayManage()
  const [creating, setCreating] = useState(false)
  const list = useQuery({ queryKey: ['bots'], enabled: isUnlocked, queryFn: () => admin.bots.list() })
  const usage = useQuery({ queryKey: ['bots', 'usage'], enabled: isUnlocked, queryFn: () => admin.bots.usage() })
  if (!isUnlocked) return <Locked name="assistants" />
  return (
    <Page
      title={t.nav.assistants}
      beside={<span class="small muted">{words.intro}</span>}
      actions={mayManage ? <Button kind="primary" onClick={() => setCreating(true)} label={words.create} /> : null}
    >
      <Card>
        <LoadState of={list} />
        {list.data?.bots.length === 0 ? (
          <Empty title={words.none} mark={<MessageCircleQuestion size={20} aria-hidden />}>
            {words.noneHint}
          </Empty>
        ) : null}
        <ul class="items">
          {list.data?.bots.map((bot) => (
            <AssistantRow key={bot.id} bot={bot} />
          ))}
        </ul>
      </Card>
      {usage.data ? <Usage usage={usage.data} /> : null}
      {creating ? <CreateDialog onClose={() => setCreating(false)} /> : null}
    </Page>
  )
}

function AssistantRow({ bot }: { readonly bot: BotsListOutput['bots'][number] }) {
  return (
    <li>
      <a class="item" href={pagePath(`assistants/${bot.id}`)}>
        <span class="grow">
          <b class="cut block" dir="auto">
            {bot.name}
          </b>
          <span class="small muted">
            {[words.answers(bot.answers), listOf(bot.languages.map(languageName))].join(' · ')}
          </span>
          {bot.notice ? <span class="block small is-held">{words.notices[bot.notice]}</span> : null}
        </span>
        <Status of={bot.status} />
      </a>
    </li>
  )
}

function Usage({ usage }: { readonly usage: BotsUsageOutput }) {
  const dollars = (amount: number) => `$${number(Math.round(amount * 100) / 100)}`
  return (
    <Card title={words.usage}>
      <div class="pad">
        <Facts
          facts={[
            [words.questions, number(usage.questions)],
            [words.answered, number(usage.answered + usage.chosen)],
            [words.unanswered, number(usage.unanswered)],
            [words.handoffs, number(usage.handoffs)],
            [words.ordersPlaced, number(usage.orders)],
            [
              words.allowance,
              words.allowanceUsed(
                dollars(usage.usedUsd),
                dollars(usage.limitUsd),
                usage.renewsAt ? dayOf(usage.renewsAt) : null,
              ),
            ],
          ]}
        />
      </div>
    </Card>
  )
}

function CreateDialog({ onClose }: { readonly onClose: () => void }) {
  const { route } = useLocation()
  const create = useAction(
    async ({ name = '' }: Values) => {
      const { bot } = await admin.bots.create({ name })
      route(pagePath(`assistants/${bot.id}`))
    },
    { stale: ['bots'], quiet: true },
  )
  return (
    <Dialog title={words.create} size="small" onClose={onClose}>
      <Form action={create} submit={words.createButton} onDone={onClose} onCancel={onClose}>
        <TextField label={words.name} name="name" maxLength={limits.bots.name} hint={words.nameHint} autofocus />
      </Form>
    </Dialog>
  )
}
