import type { BotsAnswersOutput } from '@msgctl/client/admin'
import { limits } from '@msgctl/contract/limits'
import { keepPreviousData, useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { admin } from '../api/admin-client.ts'
import { useAction } from '../api/use-action.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Choice, Form, TextArea, type Values } from '../ui/form.tsx'
import { Card, Empty } from '../ui/layout.tsx'
import { Pager } from '../ui/pager.tsx'
import { LoadState } from '../ui/problem.tsx'
import { t } from '../words/index.ts'
import type { AssistantProps } from './assistant.tsx'
import { languageName } from './language-name.ts'
import { words } from './words.ts'

type Answer = BotsAnswersOutput['answers'][number]
const pageSize = 50

/** What an assistant knows: answers with the questions they belong to. */
export function Answers(props: AssistantProps) {
  const { bot, mayManage } = props
  const [page, setPage] = useState(1)
  const [editing, setEditing] = useState<Answer | 'new' | null>(null)
  const list = useQuery({
    queryKey: ['bots', bot.id, 'answers', page],
    placeholderData: keepPreviousData,
    queryFn: () => admin.bots.answers({ botId: bot.id, page, limit: pageSize }),
  })
  return (
    <Card
      title={words.partNames.answers}
      aside={mayManage ? <Button kind="primary" onClick={() => setEditing('new')} label={words.addAnswer} /> : null}
    >
      <LoadState of={list} />
      {list.data?.answers.length === 0 ? <Empty title={words.noAnswers}>{words.noAnswersHint}</Empty> : null}
      <ul class="items">
        {list.data?.answers.map((answer) => (
          <AnswerRow key={answer.id} {...props} answer={answer} onEdit={() => setEditing(answer)} />
        ))}
      </ul>
      {list.data ? <Pager page={page} limit={pageSize} total={list.data.total} onChange={setPage} /> : null}
      {editing === null ? null : (
        <AnswerDialog {...props} answer={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />
      )}
    </Card>
  )
}

interface AnswerRowProps extends AssistantProps {
  readonly answer: Answer
  readonly onEdit: () => void
}

function AnswerRow({
  bot,
  mayManage,
  answer: { id: answerId, questions, answer, lang, enabled },
  onEdit,
}: AnswerRowProps) {
  const [removing, setRemoving] = useState(false)
  const stale = ['bots']
  const change = useAction(() => admin.bots.changeAnswer({ botId: bot.id, answerId, enabled: !enabled }), { stale })
  const remove = useAction(() => admin.bots.removeAnswer({ botId: bot.id, answerId }), { stale })
  return (
    <li class="item">
      <span class="grow">
        <b class="block" dir="auto">
          {questions.join(' · ')}
        </b>
        <span class="block small muted lines" dir="auto">
          {answer}
        </span>
        <span class="xs muted">
          {languageName(lang)}
          {enabled ? null : ` · ${words.off}`}
        </span>
      </span>
      {mayManage ? (
        <span class="row wrap">
          <Button action={change} label={enabled ? words.turnOff : words.turnOn} />
          <Button onClick={onEdit} label={t.ui.edit} />
          <Button kind="danger" onClick={() => setRemoving(true)} label={t.ui.remove} />
        </span>
      ) : null}
      {removing ? (
        <Confirm title={words.removeAnswer} act={t.ui.remove} action={remove} onClose={() => setRemoving(false)}>
          <p dir="auto">{questions[0]}</p>
        </Confirm>
      ) : null}
    </li>
  )
}

interface AnswerDialogProps extends AssistantProps {
  readonly answer: Answer | null
  readonly onClose: () => void
}

function AnswerDialog({ bot, answer, onClose }: AnswerDialogProps) {
  const save = useAction(
    (values: Values) => {
      const input = {
        botId: bot.id,
        questions: (values.questions ?? '')
          .split('\n')
          .map((line) => line.trim())
          .filter(Boolean),
        answer: values.answer ?? '',
        lang: values.lang ?? '',
      }
      return answer ? admin.bots.changeAnswer({ ...input, answerId: answer.id }) : admin.bots.addAnswer(input)
    },
    { stale: ['bots'], done: t.ui.saved, quiet: true },
  )
  return (
    <Dialog title={answer ? words.editAnswer : words.addAnswer} onClose={onClose}>
      <div class="dialog-body">
        <Form action={save} submit={t.ui.save} onDone={onClose} onCancel={onClose}>
          <TextArea
            label={words.questionsOf}
            name="questions"
            rows={3}
            defaultValue={answer?.questions.join('\n') ?? ''}
            hint={words.questionsHint(limits.bots.questions)}
          />
          <TextArea
            label={words.answer}
            name="answer"
            rows={4}
            maxLength={limits.message}
            defaultValue={answer?.answer ?? ''}
          />
          <Choice
            label={words.language}
            name="lang"
            value={answer?.lang ?? bot.languages[0]}
            options={bot.languages.map((code) => [code, languageName(code)] as const)}
          />
        </Form>
      </div>
    </Dialog>
  )
}
