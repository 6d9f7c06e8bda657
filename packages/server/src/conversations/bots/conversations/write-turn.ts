import type { Ranked } from '#conversations/bots/knowledge/question-index.ts'
import type { ModelQuestion } from '#conversations/bots/model/model.ts'
import { emptyDraft } from '#conversations/bots/orders/draft.ts'
import type { Db } from '#platform/db/db.ts'
import type { Services } from '#services.ts'
import { type Asked, carryOut, leaveToPerson } from './carry-out.ts'
import { type DueConversation, extendLease, readContext, type TurnContext } from './due-store.ts'
import { type Known, recall } from './recall.ts'
import { type Conversation, type Facts, needsModel, takeTurn } from './turn.ts'
import { deleteHandled, listHistory } from './turn-store.ts'

const historyLength = 6

/** A question for a model, with whether the organization is on trial. */
export interface ModelCall {
  readonly trial: boolean
  readonly question: ModelQuestion
}

/** A question, what was thought about it, and the circumstances of its turn. */
export interface Thought {
  readonly asked: Asked
  readonly isPlace: boolean
  /** Whether it waited so long that a person answers it. */
  readonly isLate: boolean
  readonly ranked: readonly Ranked[]
  /** Whether there is a model, and what it made of the question. */
  readonly model: Facts['model']
  readonly canSend: boolean
}

/**
 * Decides the turn of a locked conversation: what follows from it is stored, or the lease is extended by `leaseMs` for
 * the call of a model that is returned.
 */
export async function writeTurn(
  services: Pick<Services, 'db' | 'clock'>,
  trx: Db,
  conversation: DueConversation,
  thought: Thought,
  leaseMs: number,
): Promise<ModelCall | undefined> {
  const { asked, isLate, canSend, model } = thought
  const context = await readContext(trx, conversation)
  const mayAnswer = context?.botStatus === 'active' && context.hasBots && context.onNumber
  if (!context || !mayAnswer || conversation.state === 'person' || asked.handles.length === 0) {
    await deleteHandled(trx, conversation, asked.handles)
    return undefined
  }
  if (isLate || !canSend) {
    await leaveToPerson(trx, conversation, context, asked, isLate ? 'late' : 'no_sender')
    return undefined
  }
  const known = await recall(trx, conversation, context, thought.ranked)
  const incoming = { text: asked.question, lang: asked.lang, isPlace: thought.isPlace }
  const rules = { ...context, hasGreeting: hasGreeting(context, asked.lang) }
  const turn = takeTurn(remember(conversation, context), rules, incoming, { ...known.facts, model })
  if (turn !== needsModel) {
    await carryOut(services, trx, conversation, context, asked, { ...turn, score: known.facts.score })
    return undefined
  }
  await extendLease(trx, conversation, leaseMs)
  return { trial: context.trial, question: await toModelQuestion(trx, conversation, context, asked, known) }
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

async function toModelQuestion(
  trx: Db,
  conversation: DueConversation,
  { instructions }: TurnContext,
  { question, lang }: Asked,
  { ranked, facts }: Known,
): Promise<ModelQuestion> {
  return {
    question,
    lang,
    passages: ranked.map(({ answerId, question }) => ({
      id: answerId,
      question,
      answer: facts.answers.get(answerId) ?? '',
    })),
    history: await listHistory(trx, conversation, historyLength),
    instructions,
    hasShop: facts.catalogue !== null,
  }
}
