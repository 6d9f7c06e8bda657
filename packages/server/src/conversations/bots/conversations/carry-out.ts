import { fromMinorUnits } from '@msgctl/contract'
import type { Placement, Said } from '#conversations/bots/orders/draft.ts'
import { insertOrder, listOrderPhones } from '#conversations/bots/orders/order-store.ts'
import { sayNewOrder, sayPlaced } from '#conversations/bots/orders/say-order.ts'
import { appendEvents, type NewEvent } from '#events/append.ts'
import { selectQueue } from '#numbers/send-group/select-number.ts'
import { crashPoint } from '#platform/crash-points.ts'
import type { Db } from '#platform/db/db.ts'
import { enqueueTexts, type NewText } from '#sending/messages/queue/enqueue.ts'
import { consumeTrialQuota } from '#sending/messages/trial.ts'
import type { Services } from '#services.ts'
import type { DueConversation, TurnContext } from './due-store.ts'
import { renderSaid } from './say.ts'
import type { Turn } from './turn.ts'
import { deleteHandled, finishTurn, holdForPerson, insertReview, insertTurn, type ReviewReason } from './turn-store.ts'

/** A question with the messages that it was made of. */
export interface Asked {
  readonly question: string
  readonly lang: string
  readonly handles: readonly number[]
}

type Sending = Pick<Services, 'db' | 'clock'>

/**
 * Stores everything that follows from a turn: replies in the queue, the order, the review, what the assistant
 * remembers, and last the events. Throws NO_SESSION_CONFIGURED or TRIAL_LIMIT_REACHED when a reply cannot be queued;
 * then the transaction must be rolled back.
 */
export async function carryOut(
  { clock }: Sending,
  trx: Db,
  conversation: DueConversation,
  context: TurnContext,
  asked: Asked,
  turn: Turn & { readonly score: number | null },
): Promise<void> {
  const placed = turn.place ? await placeOrder(trx, conversation, context, turn.place) : null
  const says = [...turn.says, ...(placed?.says ?? [])]
  const said = says.length > 0 ? renderSaid(says, context.texts, asked.lang) : null
  const texts = [
    ...(said === null ? [] : [{ recipient: context.recipient, text: said }]),
    ...(placed?.staffTexts ?? []),
  ]
  const [messageId = null] = await queueTexts({ clock }, trx, conversation, context, texts)
  const { kind, answerId, score, review, handoff } = turn
  if (review) await insertReview(trx, conversation, { ...asked, ...review })
  await finishTurn(trx, conversation, {
    turn: {
      question: asked.question,
      kind,
      said,
      answerId,
      score,
      messageId: said === null ? null : messageId,
    },
    after: turn.conversation,
    handled: asked.handles,
  })
  const events = [
    ...(review ? [botEvent('bot.needs_review', conversation, context, asked, review.reason)] : []),
    ...(handoff ? [botEvent('bot.handoff', conversation, context, asked, handoff.reason)] : []),
    ...(placed?.events ?? []),
  ]
  await appendEvents(trx, events)
  crashPoint('bot-turn.before-commit')
}

/** Leaves a question to a person without a reply. */
export async function leaveToPerson(
  trx: Db,
  conversation: DueConversation,
  context: TurnContext,
  asked: Asked,
  reason: ReviewReason,
): Promise<void> {
  await recordFailed(trx, conversation, asked, reason)
  await appendEvents(trx, [botEvent('bot.needs_review', conversation, context, asked, null)])
}

/**
 * Leaves a question to a person after all attempts have failed, and the conversation with it: the next one could fail
 * too.
 */
export async function setAside(
  trx: Db,
  conversation: DueConversation,
  context: TurnContext,
  asked: Asked,
): Promise<void> {
  await recordFailed(trx, conversation, asked, 'failed')
  await holdForPerson(trx, conversation)
  const kinds = ['bot.needs_review', 'bot.handoff'] as const
  await appendEvents(
    trx,
    kinds.map((event) => botEvent(event, conversation, context, asked, null)),
  )
}

async function recordFailed(
  trx: Db,
  conversation: DueConversation,
  { question, lang, handles }: Asked,
  reason: ReviewReason,
): Promise<void> {
  const turn = { question, kind: 'failed', said: null, answerId: null, score: null, messageId: null }
  await insertTurn(trx, conversation, turn)
  await insertReview(trx, conversation, { question, lang, reason })
  await deleteHandled(trx, conversation, handles)
}

/** Returns the event of a question that is left to a person. Outside business hours it names no language. */
function botEvent(
  event: 'bot.needs_review' | 'bot.handoff',
  { organizationId, botId, id, now }: DueConversation,
  { recipient }: TurnContext,
  { question, lang }: Asked,
  reason: 'away' | 'ai_quota' | null,
): NewEvent {
  return {
    organizationId,
    event,
    data: {
      botId,
      conversationId: id,
      contactPhone: recipient,
      question,
      ...(reason === 'away' ? {} : { lang }),
      ...(reason === null ? {} : { reason }),
      timestamp: now.toISOString(),
    },
  }
}

/**
 * Queues texts of an assistant by the number of the conversation, else by another one that works. Returns their ids.
 */
async function queueTexts(
  { clock }: Pick<Services, 'clock'>,
  trx: Db,
  conversation: DueConversation,
  context: TurnContext,
  texts: readonly Pick<NewText, 'recipient' | 'text'>[],
): Promise<string[]> {
  if (texts.length === 0) return []
  const { organizationId, botId, id: conversationId } = conversation
  await consumeTrialQuota(trx, clock, { organizationId, trial: context.trial }, texts.length)
  const containerId = await chooseNumber(trx, conversation, context)
  return enqueueTexts(
    trx,
    clock,
    texts.map((text) => ({
      ...text,
      organizationId,
      containerId,
      pinned: false,
      type: 'alert',
      priority: 'normal',
      clientReference: null,
      bot: { botId, conversationId },
    })),
  )
}

async function chooseNumber(trx: Db, conversation: DueConversation, context: TurnContext): Promise<string> {
  if (context.numberWorks) return conversation.containerId
  const { organizationId } = conversation
  const chosen = await selectQueue(trx, { organizationId, containerId: null }, undefined, context.recipient)
  return chosen.containerId
}

interface PlacedOrder {
  readonly says: readonly Said[]
  readonly staffTexts: readonly Pick<NewText, 'recipient' | 'text'>[]
  readonly events: readonly NewEvent[]
}

async function placeOrder(
  trx: Db,
  conversation: DueConversation,
  { recipient, texts, languages }: TurnContext,
  placement: Placement,
): Promise<PlacedOrder> {
  const { organizationId, botId, id: conversationId, containerId, contactId, now } = conversation
  const number = await insertOrder(trx, { organizationId, botId, conversationId, containerId, contactId }, placement)
  const orderNumber = String(number)
  const { currency } = placement
  const staffText = renderSaid(sayNewOrder(orderNumber, recipient, placement), texts, languages[0] ?? 'en')
  const phones = await listOrderPhones(trx, { organizationId, botId })
  return {
    says: sayPlaced(orderNumber, placement),
    staffTexts: phones.map(({ phone }) => ({ recipient: phone, text: staffText })),
    events: [
      {
        organizationId,
        event: 'commerce.order',
        data: {
          botId,
          contactPhone: recipient,
          orderNumber,
          total: fromMinorUnits(placement.total, currency),
          currency,
          timestamp: now.toISOString(),
        },
      },
    ],
  }
}
