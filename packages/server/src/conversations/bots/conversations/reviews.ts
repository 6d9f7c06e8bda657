import { type BotReview, type Contract, limits } from '@msgctl/contract'
import type { Caller, Handlers, Request } from '#api/http/handler.ts'
import {
  findAnswerByText,
  findAnswers,
  hasBot,
  lockKnowledge,
  raiseVersion,
} from '#conversations/bots/knowledge/answer-store.ts'
import { addAnswers, noSuchBot, storeQuestions } from '#conversations/bots/knowledge/answers.ts'
import type { OfBot } from '#conversations/bots/orders/shop-store.ts'
import { selectQueue } from '#numbers/send-group/select-number.ts'
import type { Db } from '#platform/db/db.ts'
import { apiError } from '#platform/errors.ts'
import { enqueueTexts } from '#sending/messages/queue/enqueue.ts'
import { requesterOf } from '#sending/messages/requester.ts'
import { consumeTrialQuota } from '#sending/messages/trial.ts'
import type { Services } from '#services.ts'
import { closeReview, countReviews, findReview, listReviews, type ReviewRow } from './list-store.ts'

type Resolving = Request<Contract['bots']['resolveReview']>

/** The handlers of questions that were left to a person. */
export const reviewHandlers = {
  async reviews({ caller, params, query }, { db }) {
    const bot = { organizationId: caller.organizationId, botId: params.botId }
    if (!(await hasBot(db, bot))) throw noSuchBot()
    const { page, limit } = query
    const filter = { ...bot, status: query.status ?? null }
    const [total, found] = await Promise.all([
      countReviews(db, filter),
      listReviews(db, filter, { limit, offset: (page - 1) * limit }),
    ])
    return { total, page, limit, reviews: found.map(toReview) }
  },

  async resolveReview(request: Resolving, services: Services) {
    const { caller, params, body, idempotency } = request
    const bot = { organizationId: caller.organizationId, botId: params.botId }
    return idempotency.transact(async (trx) => {
      const review = await requireOpen(trx, bot, params.reviewId)
      const answer = body.dismiss ? null : await answerOf(trx, bot, body)
      if (answer !== null && body.learn) await learn(trx, bot, review, { answer, answerId: body.answerId })
      if (answer !== null && body.send) await send(services, trx, caller, bot, review, answer)
      await closeReview(trx, bot, review.id, { status: body.dismiss ? 'dismissed' : 'resolved', answer })
      const closed = await findReview(trx, bot, review.id)
      return { review: toReview(closed ?? review) }
    })
  },
} satisfies Partial<Handlers<Contract['bots']>>

async function requireOpen(trx: Db, bot: OfBot, id: string): Promise<ReviewRow> {
  const review = await findReview(trx, bot, id, true)
  if (!review) throw apiError('NOT_FOUND', 'There is no such review.')
  if (review.status === 'open') return review
  throw apiError('FORBIDDEN_ACTION', `The review is ${review.status} already.`, {
    reason: 'not_open',
    status: review.status,
  })
}

/** Returns the text to answer with: the given one, else that of the stored answer. */
async function answerOf(trx: Db, bot: OfBot, { answer, answerId }: Resolving['body']): Promise<string> {
  if (answerId === undefined) return answer ?? ''
  const [stored] = await findAnswers(trx, bot, [answerId])
  if (!stored) throw apiError('NOT_FOUND', 'There is no such answer.')
  return answer ?? stored.answer
}

/** Adds the question to a stored answer: the given one, else the one with this text, else a new one. */
async function learn(
  trx: Db,
  bot: OfBot,
  review: ReviewRow,
  { answer, answerId }: { readonly answer: string; readonly answerId: string | undefined },
): Promise<void> {
  const languages = await lockKnowledge(trx, bot)
  if (!languages) throw noSuchBot()
  const lang = review.lang ?? languages[0] ?? 'en'
  const question = review.question.replaceAll('\n', ' ').slice(0, limits.bots.question)
  const known = answerId ?? (await findAnswerByText(trx, bot, answer, lang))
  const [stored] = known === undefined ? [] : await findAnswers(trx, bot, [known])
  if (!stored) {
    await addAnswers(trx, bot, [{ answer, lang, enabled: true, questions: [question] }])
    return
  }
  // With ten questions there already, the oldest one gives way.
  const questions = [...stored.questions, question].slice(-limits.bots.questions)
  await storeQuestions(trx, bot, [{ ...stored, questions }])
  await raiseVersion(trx, bot)
}

async function send(
  { clock }: Pick<Services, 'clock'>,
  trx: Db,
  caller: Caller,
  { organizationId, botId }: OfBot,
  { contactPhone, containerId, conversationId }: ReviewRow,
  text: string,
): Promise<void> {
  const chosen = await selectQueue(trx, caller, containerId, contactPhone)
  await consumeTrialQuota(trx, clock, caller, 1)
  await enqueueTexts(trx, clock, [
    {
      ...chosen,
      organizationId,
      type: 'alert',
      recipient: contactPhone,
      text,
      priority: 'normal',
      clientReference: null,
      sentBy: requesterOf(caller),
      bot: { botId, conversationId },
    },
  ])
}

function toReview({ containerId: _containerId, createdAt, resolvedAt, ...row }: ReviewRow): BotReview {
  return { ...row, createdAt: createdAt.toISOString(), resolvedAt: resolvedAt?.toISOString() ?? null }
}
