import { randomUUID } from 'node:crypto'
import { limits } from '@msgctl/contract'
import type { Assistants } from '#conversations/bots/model/assistants.ts'
import { queryModel } from '#conversations/bots/model/query-model.ts'
import { crashPoint } from '#platform/crash-points.ts'
import { type Db, transaction } from '#platform/db/db.ts'
import { ApiError } from '#platform/errors.ts'
import type { Services } from '#services.ts'
import { type Asked, setAside } from './carry-out.ts'
import {
  type Claimed,
  claimDue,
  type DueConversation,
  lockClaimed,
  maxAttempts,
  readContext,
  readWaiting,
  type Waiting,
} from './due-store.ts'
import { languageOf } from './language.ts'
import { rankAnswers } from './recall.ts'
import { deleteHandled, noteFailure } from './turn-store.ts'
import { type Thought, writeTurn } from './write-turn.ts'

/** Messages that waited longer, in an outage, are left to a person. */
const lateMs = 60 * 60_000
/** Longer than a model may take. The lease begins again before it is queried. */
const leaseMs = 45_000
const retryMs = 10_000

/**
 * Handles the conversation that has been due longest. It is claimed in a transaction of its own, which counts the
 * attempt, so that a question which ends the process is not tried for ever: after three attempts it is left to a
 * person. What follows from the turn is written in one transaction, which checks the fencing token of the claim.
 * Returns whether there was a conversation.
 */
export async function answerNext(
  services: Services,
  assistants: Assistants,
  which: Claimed = 'others',
): Promise<boolean> {
  const conversation = await claimDue(services.db, { token: randomUUID(), leaseMs, which })
  if (!conversation) return false
  try {
    const isExhausted = conversation.attempts > maxAttempts
    await (isExhausted ? giveUp : answer)(services, conversation, assistants)
    crashPoint('bot-turn.committed')
  } catch (error) {
    await handleFailure(services, conversation, error)
  }
  return true
}

/** Thinks about what waits in a claimed conversation, with a model if it needs one, and writes its turn. */
async function answer(services: Services, conversation: DueConversation, assistants: Assistants): Promise<void> {
  crashPoint('bot-turn.claimed')
  const waiting = await readWaiting(services.db, conversation)
  if (!waiting || waiting.inbox.length === 0 || conversation.state === 'person') {
    return release(services, conversation, waiting)
  }
  const thought = await think(services, assistants, conversation, waiting)
  const call = await write(services, conversation, thought)
  if (!call) return
  const caller = { organizationId: conversation.organizationId, trial: call.trial }
  const model = await queryModel(services, assistants, caller, call.question)
  crashPoint('bot-model.asked')
  const second = await write(services, conversation, { ...thought, model })
  if (second) throw new Error('a turn with the result of a model asked for another one')
}

/** Ends the claim of a conversation in which the assistant has nothing to say. */
async function release(services: Services, claimed: DueConversation, waiting: Waiting | undefined): Promise<void> {
  await underClaim(services.db, claimed, (trx, conversation) =>
    deleteHandled(trx, conversation, waiting?.inbox.map(({ id }) => id) ?? []),
  )
}

type Thinking = Omit<Thought, 'canSend'>

async function think(
  { db }: Services,
  assistants: Assistants,
  conversation: DueConversation,
  waiting: Waiting,
): Promise<Thinking> {
  const { inbox, languages } = waiting
  const asked = toAsked(waiting, (question) => languageOf(question, languages, conversation.lang))
  const isLate = inbox.some(({ writtenAt }) => conversation.now.getTime() - Date.parse(writtenAt) > lateMs)
  return {
    asked,
    isPlace: inbox.every(({ isPlace }) => isPlace),
    isLate,
    ranked: isLate ? [] : await rankAnswers(db, assistants, conversation, waiting, asked),
    model: assistants.model ? 'available' : 'none',
  }
}

function toAsked({ inbox }: Waiting, toLanguage: (question: string) => string): Asked {
  const texts = inbox.map(({ text }) => text)
  const question = texts.join('\n').slice(0, limits.message)
  return { question, lang: toLanguage(question), handles: inbox.map(({ id }) => id) }
}

/** Writes the turn; without a reply when no number can send it, or the messages of a trial are used up. */
async function write(services: Services, claimed: DueConversation, thinking: Thinking) {
  const attempt = (canSend: boolean) =>
    underClaim(services.db, claimed, (trx, conversation) =>
      writeTurn(services, trx, conversation, { ...thinking, canSend }, leaseMs),
    )
  try {
    return await attempt(true)
  } catch (error) {
    const isRefused =
      error instanceof ApiError && (error.code === 'NO_SESSION_CONFIGURED' || error.code === 'TRIAL_LIMIT_REACHED')
    if (!isRefused) throw error
    return attempt(false)
  }
}

/** Runs a transaction that changes a claimed conversation. Changes nothing when the claim is over. */
async function underClaim<T>(
  db: Db,
  claimed: DueConversation,
  change: (trx: Db, conversation: DueConversation) => Promise<T>,
): Promise<T | undefined> {
  return transaction(db, async (trx) => {
    const conversation = await lockClaimed(trx, claimed)
    return conversation ? change(trx, conversation) : undefined
  })
}

/** Leaves a conversation to a person whose attempts have all failed, or have ended their process. */
async function giveUp(services: Services, claimed: DueConversation): Promise<void> {
  const { id: conversationId, organizationId, botId, attempts } = claimed
  const waiting = await readWaiting(services.db, claimed)
  await underClaim(services.db, claimed, async (trx, conversation) => {
    const context = await readContext(trx, conversation)
    if (context && waiting)
      return setAside(
        trx,
        conversation,
        context,
        toAsked(waiting, () => conversation.lang),
      )
    await deleteHandled(trx, conversation, [])
  })
  const fields = { event: 'bot_turn_set_aside', conversationId, organizationId, botId, attempts: attempts - 1 } as const
  services.log.error(fields, 'left a conversation to a person, because each attempt to answer failed')
}

async function handleFailure(services: Services, conversation: DueConversation, err: unknown): Promise<void> {
  const { id: conversationId, attempts } = conversation
  await noteFailure(services.db, conversation, retryMs)
  services.log.error(
    { event: 'bot_turn_failed', err, conversationId, attempts },
    'failed to answer in a conversation; it is tried again',
  )
}
