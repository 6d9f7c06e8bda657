import type { BotsReviewsOutput } from '@msgctl/client/admin'
import { limits } from '@msgctl/contract/limits'
import { keepPreviousData, useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { admin } from '../api/admin-client.ts'
import { useAction } from '../api/use-action.ts'
import { Button } from '../ui/button.tsx'
import { Phone } from '../ui/contact.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Filters } from '../ui/filters.tsx'
import { Form, TextArea, type Values } from '../ui/form.tsx'
import { Card, Empty } from '../ui/layout.tsx'
import { Pager } from '../ui/pager.tsx'
import { LoadState } from '../ui/problem.tsx'
import { Status } from '../ui/status.tsx'
import { When } from '../ui/when.tsx'
import { t } from '../words/index.ts'
import type { AssistantProps } from './assistant.tsx'
import { words } from './words.ts'

type Review = BotsReviewsOutput['reviews'][number]
const pageSize = 50
const statuses = ['open', 'resolved', 'dismissed'] as const

/** The questions that an assistant left to people. */
export function Reviews({ bot, mayManage }: AssistantProps) {
  const [status, setStatus] = useState<(typeof statuses)[number]>('open')
  const [page, setPage] = useState(1)
  const list = useQuery({
    queryKey: ['bots', bot.id, 'reviews', status, page],
    placeholderData: keepPreviousData,
    queryFn: () => admin.bots.reviews({ botId: bot.id, status, page, limit: pageSize }),
  })
  return (
    <Card
      title={words.partNames.reviews}
      aside={
        <Filters
          label={words.state}
          value={status}
          options={statuses.map((each) => [each, t.status[each]] as const)}
          onChange={(value) => {
            setStatus(value)
            setPage(1)
          }}
        />
      }
    >
      <LoadState of={list} />
      {list.data?.reviews.length === 0 ? <Empty title={words.noReviews}>{words.noReviewsHint}</Empty> : null}
      <ul class="items">
        {list.data?.reviews.map((review) => (
          <ReviewRow key={review.id} botId={bot.id} review={review} mayManage={mayManage} />
        ))}
      </ul>
      {list.data ? <Pager page={page} limit={pageSize} total={list.data.total} onChange={setPage} /> : null}
    </Card>
  )
}

interface ReviewRowProps {
  readonly botId: string
  readonly review: Review
  readonly mayManage: boolean
}

function ReviewRow({ botId, review, mayManage }: ReviewRowProps) {
  const { id: reviewId, question, contactPhone, reason, status, answer, createdAt } = review
  const [answering, setAnswering] = useState(false)
  const dismiss = useAction(() => admin.bots.resolveReview({ botId, reviewId, dismiss: true }), { stale: ['bots'] })
  return (
    <li class="item">
      <span class="grow">
        <b class="block" dir="auto">
          {question}
        </b>
        <span class="block small muted">
          <Phone of={contactPhone} /> · {words.reasons[reason ?? 'unknown']} · <When at={createdAt} />
        </span>
        {answer ? (
          <span class="block small" dir="auto">
            {answer}
          </span>
        ) : null}
      </span>
      {status === 'open' && mayManage ? (
        <span class="row wrap">
          <Button action={dismiss} label={words.dismiss} />
          <Button kind="primary" onClick={() => setAnswering(true)} label={words.giveAnswer} />
        </span>
      ) : (
        <Status of={status} />
      )}
      {answering ? <ReviewDialog botId={botId} review={review} onClose={() => setAnswering(false)} /> : null}
    </li>
  )
}

interface ReviewDialogProps {
  readonly botId: string
  readonly review: Review
  readonly onClose: () => void
}

function ReviewDialog({ botId, review: { id: reviewId, question }, onClose }: ReviewDialogProps) {
  const resolve = useAction(
    ({ answer = '', send, learn }: Values) =>
      admin.bots.resolveReview({ botId, reviewId, answer, send: send !== undefined, learn: learn !== undefined }),
    { stale: ['bots'], done: t.ui.saved, quiet: true },
  )
  return (
    <Dialog title={words.giveAnswer} onClose={onClose}>
      <div class="dialog-body">
        <p class="bubble" dir="auto">
          {question}
        </p>
        <Form action={resolve} submit={words.giveAnswer} onDone={onClose} onCancel={onClose}>
          <TextArea label={words.answer} name="answer" rows={4} maxLength={limits.message} />
          <label class="check">
            <input type="checkbox" name="send" defaultChecked />
            <span>{words.sendIt}</span>
          </label>
          <label class="check">
            <input type="checkbox" name="learn" defaultChecked />
            <span>{words.learnIt}</span>
          </label>
        </Form>
      </div>
    </Dialog>
  )
}
