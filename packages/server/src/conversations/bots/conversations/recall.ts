import { findEnabledTexts } from '#conversations/bots/knowledge/answer-store.ts'
import { decide } from '#conversations/bots/knowledge/decide.ts'
import { indexFor } from '#conversations/bots/knowledge/index-cache.ts'
import { findStems } from '#conversations/bots/knowledge/index-store.ts'
import type { Ranked } from '#conversations/bots/knowledge/question-index.ts'
import type { Assistants } from '#conversations/bots/model/assistants.ts'
import { readCatalogue } from '#conversations/bots/orders/shop-store.ts'
import type { Db } from '#platform/db/db.ts'
import type { DueConversation, TurnContext, Waiting } from './due-store.ts'
import { isOpen } from './hours.ts'
import type { Facts } from './turn.ts'

/** The nearest stored answers, as a model is given them. */
const nearest = 8

/** Returns the stored answers that are nearest to a question, the best first. */
export async function rankAnswers(
  db: Db,
  { indexes }: Pick<Assistants, 'indexes'>,
  { organizationId, botId }: DueConversation,
  { languages, knowledgeVersion: version }: Waiting,
  asked: { readonly question: string; readonly lang: string },
): Promise<Ranked[]> {
  const index = indexFor(await indexes.find(db, { organizationId, botId, version }), asked.lang, languages)
  return index ? index.rank(asked.question, await findStems(db, asked.question, asked.lang), nearest) : []
}

/** What an assistant knows of a question. */
export interface Known {
  readonly facts: Omit<Facts, 'model'>
  readonly ranked: readonly Ranked[]
}

/**
 * Collects what the assistant knows of a question: those of the nearest answers that it gives, and the catalogue of its
 * shop.
 */
export async function recall(
  trx: Db,
  conversation: DueConversation,
  context: TurnContext,
  ranked: readonly Ranked[],
): Promise<Known> {
  const { organizationId, botId, choices, draft, now } = conversation
  const bot = { organizationId, botId }
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
