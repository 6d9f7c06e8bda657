import { randomUUID } from 'node:crypto'
import { limits } from '@msgctl/contract'
import { crashPoint } from '../../crash-points.ts'
import { type Db, transaction } from '../../db/db.ts'
import { ApiError } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { findEnabledTexts } from '../knowledge/answer-store.ts'
import { decide } from '../knowledge/decide.ts'
import { indexFor } from '../knowledge/index-cache.ts'
import { findStems } from '../knowledge/index-store.ts'
import type { Ranked } from '../knowledge/question-index.ts'
import type { Assistants } from '../model/assistants.ts'
import type { ModelQuestion } from '../model/model.ts'
import { queryModel } from '../model/query-model.ts'
import { emptyDraft } from '../orders/draft.ts'
import { readCatalogue } from '../orders/shop-store.ts'
import { type Changes, carryOut, leaveToPerson } from './carry-out.ts'
import { type DueConversation, lockDue, lockLeased, readContext, type TurnContext, writeLease } from './due-store.ts'
import { isOpen } from './hours.ts'
import { languageOf } from './language.ts'
import { type Conversation, type Facts, type ModelResult, needsModel, takeTurn } from './turn.ts'
import { deleteHandled, listHistory, noteFailure } from './turn-store.ts'

/** Messages that waited longer, in an outage, are left to a person. */
const lateMs = 60 * 60_000
const modelLeaseMs = 45_000
const retryMs = 10_000
const maxAttempts = 3
/** The nearest stored answers, as a model is given them. */
const nearest = 8
const historyLength = 6

/** A question for a model, with the lease of its conversation and the messages it was made of. */
interface ModelCall {
  readonly organizationId: string
  readonly conversationId: string
  readonly trial: boolean
  readonly token: string
  readonly handles: readonly number[]
  readonly question: ModelQuestion
}

/** What became of a conversation: a turn was taken, or a model has to be queried first. */
type Outcome = Changes | ModelCall

const nothing: Changes = { isQueued: false, isReported: false }

/**
 * Handles the conversation that has been due longest. Without a model, everything happens in one transaction; a
 * crash before its commit changes nothing. With a model, the conversation is leased while it is queried, and the second
 * transaction checks the lease. Returns whether there was one.
 */
export async function answerNext(services: Services, assistants: Assistants): Promise<boolean> {
  const claimed: { conversation?: DueConversation } = {}
  try {
    const outcome = await withSender((canSend) =>
      transaction(services.db, async (trx) => {
        const conversation = await lockDue(trx)
        if (!conversation) return null
        claimed.conversation = conversation
        return answer(services, assistants, trx, conversation, { canSend, model: null })
      }),
    )
    if (outcome === null) return false
    const changes = 'question' in outcome ? await answerWithModel(services, assistants, outcome) : outcome
    crashPoint('bot-turn.committed')
    signal(services, changes)
  } catch (error) {
    if (!claimed.conversation) throw error
    await handleFailure(services, claimed.conversation, error)
  }
  return true
}

/** Wakes those who wait for what a turn changed, and no others: each poll costs a statement. */
function signal({ wake }: Services, { isQueued, isReported }: Changes): void {
  if (isQueued) wake.signal('lanes')
  if (isReported) for (const channel of ['events', 'deliveries'] as const) wake.signal(channel)
}

/** Runs a turn again without sending when no number can send, or the messages of a trial are used up. */
async function withSender<T>(run: (canSend: boolean) => Promise<T>): Promise<T> {
  try {
    return await run(true)
  } catch (error) {
    const isRefused =
      error instanceof ApiError && (error.code === 'NO_SESSION_CONFIGURED' || error.code === 'TRIAL_LIMIT_REACHED')
    if (!isRefused) throw error
    return run(false)
  }
}

async function answerWithModel(services: Services, assistants: Assistants, call: ModelCall): Promise<Changes> {
  const result = await queryModel(services, assistants, call, call.question)
  crashPoint('bot-model.asked')
  return withSender((canSend) =>
    transaction(services.db, async (trx) => {
      const conversation = await lockLeased(trx, call.organizationId, call.conversationId, call.token)
      if (!conversation) return nothing
      const model = { result, handles: call.handles }
      const outcome = await answer(services, assistants, trx, conversation, { canSend, model })
      if ('question' in outcome) throw new Error('a turn with the result of a model asked for another one')
      return outcome
    }),
  )
}

interface Circumstances {
  readonly canSend: boolean
  /** After a model was queried: its result, and the messages that it was queried for. */
  readonly model: { readonly result: ModelResult; readonly handles: readonly number[] } | null
}

async function answer(
  services: Services,
  assistants: Assistants,
  trx: Db,
  conversation: DueConversation,
  { canSend, model }: Circumstances,
): Promise<Outcome> {
  const context = await readContext(trx, conversation)
  const handles = model?.handles ?? context?.inbox.map(({ id }) => id) ?? []
  const inbox = (context?.inbox ?? []).filter(({ id }) => handles.includes(id))
  const mayAnswer = context?.botStatus === 'active' && context.hasBots && context.onNumber
  if (!context || !mayAnswer || conversation.state === 'person' || inbox.length === 0) {
    await deleteHandled(trx, conversation, handles)
    return nothing
  }
  const question = inbox
    .map(({ text }) => text)
    .join('\n')
    .slice(0, limits.message)
  const isLate = inbox.some(({ writtenAt }) => conversation.now.getTime() - Date.parse(writtenAt) > lateMs)
  const lang = languageOf(question, context.languages, conversation.lang)
  const asked = { question, lang, handles }
  if (isLate || !canSend || conversation.attempts >= maxAttempts) {
    const reason = isLate ? 'late' : canSend ? 'failed' : 'no_sender'
    return leaveToPerson(trx, conversation, context, asked, reason)
  }
  const incoming = { text: question, lang, isPlace: inbox.every(({ isPlace }) => isPlace) }
  const known = await recall(assistants, trx, conversation, context, incoming)
  const facts: Facts = { ...known.facts, model: model?.result ?? (assistants.model ? 'available' : 'none') }
  const rules = { ...context, hasGreeting: hasGreeting(context, lang) }
  const turn = takeTurn(remember(conversation, context), rules, incoming, facts)
  if (turn === needsModel) return leaseForModel(trx, conversation, context, { asked, ranked: known.ranked, facts })
  return carryOut(services, trx, conversation, context, asked, { ...turn, score: known.facts.score })
}

/** An assistant greets in a language for which it has, or the service knows, a greeting. An empty text is none. */
function hasGreeting({ texts }: TurnContext, lang: string): boolean {
  return texts[lang]?.greeting !== ''
}

function remember(stored: DueConversation, { lastName, lastAddress }: TurnContext): Conversation {
  return {
    lang: stored.lang,
    state: stored.state,
    greeted: stored.greeted,
    failures: stored.failures,
    choices: stored.choices,
    awaySaidAtMs: stored.awaySaidAt?.getTime() ?? null,
    saidAtMs: stored.saidAt,
    stepsAtMs: stored.stepsAt,
    draft: stored.draft ?? { ...emptyDraft, name: lastName, address: lastAddress },
  }
}

interface Known {
  readonly facts: Omit<Facts, 'model'>
  readonly ranked: readonly Ranked[]
}

/** Collects what the assistant knows of a question: the nearest stored answers, and the catalogue of its shop. */
async function recall(
  assistants: Assistants,
  trx: Db,
  conversation: DueConversation,
  context: TurnContext,
  incoming: { readonly text: string; readonly lang: string },
): Promise<Known> {
  const { organizationId, botId, choices, draft, now } = conversation
  const bot = { organizationId, botId }
  const indexes = await assistants.indexes.find(trx, { ...bot, version: context.knowledgeVersion })
  const index = indexFor(indexes, incoming.lang, context.languages)
  const ranked = index ? index.rank(incoming.text, await findStems(trx, incoming.text, incoming.lang), nearest) : []
  const ids = [...new Set([...ranked, ...choices].map(({ answerId }) => answerId))]
  const answers = await findEnabledTexts(trx, bot, ids)
  const confirming = draft?.step === 'confirming' ? draft.lines.map(({ productId }) => productId) : []
  const shop = context.shop?.enabled && context.shop.currency && context.hasShop ? context.shop : null
  const known = ranked.filter(({ answerId }) => answers.has(answerId))
  return {
    ranked: known,
    facts: {
      nowMs: now.getTime(),
      open: isOpen(context.hours, now),
      decision: decide(known),
      score: known[0]?.score ?? null,
      answers,
      catalogue: shop && (await readCatalogue(trx, bot, shop, confirming)),
      hasPlacedOrder: context.hasPlacedOrder,
    },
  }
}

interface Unclear {
  readonly asked: { readonly question: string; readonly lang: string; readonly handles: readonly number[] }
  readonly ranked: readonly Ranked[]
  readonly facts: Facts
}

async function leaseForModel(
  trx: Db,
  conversation: DueConversation,
  context: TurnContext,
  { asked, ranked, facts }: Unclear,
): Promise<ModelCall> {
  const token = randomUUID()
  await writeLease(trx, conversation, token, modelLeaseMs)
  const question: ModelQuestion = {
    question: asked.question,
    lang: asked.lang,
    passages: ranked.map(({ answerId, question }) => ({
      id: answerId,
      question,
      answer: facts.answers.get(answerId) ?? '',
    })),
    history: await listHistory(trx, conversation, historyLength),
    instructions: context.instructions,
    hasShop: facts.catalogue !== null,
  }
  const { organizationId, id: conversationId } = conversation
  return { organizationId, conversationId, trial: context.trial, token, handles: asked.handles, question }
}

async function handleFailure(services: Services, conversation: DueConversation, err: unknown): Promise<void> {
  const attempts = await noteFailure(services.db, conversation, retryMs)
  services.log.error(
    { event: 'bot_turn_failed', err, conversationId: conversation.id, attempts },
    'failed to answer in a conversation; it is tried again',
  )
}
