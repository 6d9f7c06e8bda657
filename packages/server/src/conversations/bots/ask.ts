import type { Contract } from '@msgctl/contract'
import type { Request } from '#api/http/handler.ts'
import type { Db } from '#platform/db/db.ts'
import { apiError } from '#platform/errors.ts'
import type { Services } from '#services.ts'
import { type BotRow, findBot } from './bot-store.ts'
import { languageOf } from './conversations/language.ts'
import { renderSaid } from './conversations/say.ts'
import { asksForPerson } from './conversations/turn.ts'
import { findAnswers } from './knowledge/answer-store.ts'
import { noSuchBot } from './knowledge/answers.ts'
import { type Decision, decide } from './knowledge/decide.ts'
import { indexFor } from './knowledge/index-cache.ts'
import { findStems, findVersion } from './knowledge/index-store.ts'
import type { Ranked } from './knowledge/question-index.ts'
import { type Assistants, openAssistants } from './model/assistants.ts'
import type { Understood } from './model/model.ts'
import { type QueryResult, queryModel } from './model/query-model.ts'
import type { Said } from './orders/draft.ts'
import { findUsed } from './records/allowance-store.ts'

type Asking = Request<Contract['bots']['ask']>

const toPerson = { text: 'handoff' } as const
const nearest = 8
const shown = 3

/**
 * Returns what an assistant would say to a question. Nothing is sent or stored. Unlike in a conversation, a model that
 * fails is reported: AI_BUSY, AI_UNAVAILABLE or AI_QUOTA_EXCEEDED.
 */
export async function askBot(request: Asking, services: Services) {
  const { db } = services
  const { question, lang: given } = request.body
  const of = { organizationId: request.caller.organizationId, botId: request.params.botId }
  const bot = await findBot(db, of)
  if (!bot) throw noSuchBot()
  const lang = given ?? languageOf(question, bot.languages, bot.languages[0] ?? 'en')
  const assistants = openAssistants(services)
  const ranked = await rank(db, assistants, of, bot, { question, lang })
  const answers = await findAnswers(
    db,
    of,
    ranked.map(({ answerId }) => answerId),
  )
  const textOf = new Map(answers.map(({ id, answer }) => [id, answer]))
  const decision = decide(ranked)
  const sources = ranked.slice(0, shown).map((one) => ({ ...one, score: Math.round(one.score * 1000) / 1000 }))
  const say = (says: readonly Said[]) => renderSaid(says, bot.texts, lang)
  if (asksForPerson(bot, { text: question, lang }))
    return { kind: 'person' as const, text: say([toPerson]), lang, by: 'built-in' as const, sources }
  if (decision.kind !== 'answer' && assistants.model) {
    const passages = ranked.map(({ answerId, question }) => ({
      id: answerId,
      question,
      answer: textOf.get(answerId) ?? '',
    }))
    const { instructions, shop } = bot
    const asked = { question, lang, passages, history: [], instructions, hasShop: shop?.enabled ?? false }
    const caller = { organizationId: of.organizationId, trial: request.caller.trial }
    const result = await queryModel(services, assistants, caller, asked, request.signal)
    const understood = await requireUnderstood(db, of.organizationId, result)
    const said = sayUnderstood(understood)
    if (said) return { kind: said.kind, text: say(said.says), lang, by: 'http' as const, sources }
  }
  const { kind, says } = sayDecision(decision, textOf)
  return { kind, text: say(says), lang, by: 'built-in' as const, sources }
}

async function rank(
  db: Db,
  assistants: Assistants,
  of: { readonly organizationId: string; readonly botId: string },
  { languages }: BotRow,
  { question, lang }: { readonly question: string; readonly lang: string },
): Promise<Ranked[]> {
  const indexes = await assistants.indexes.find(db, { ...of, version: await findVersion(db, of) })
  const index = indexFor(indexes, lang, languages)
  return index ? index.rank(question, await findStems(db, question, lang), nearest) : []
}

function sayDecision(decision: Decision, textOf: ReadonlyMap<string, string>) {
  switch (decision.kind) {
    case 'answer':
      return { kind: 'answer' as const, says: [{ words: textOf.get(decision.best.answerId) ?? '' }] }
    case 'choose': {
      const options = decision.options.map(({ question }, at) => ({ words: `${at + 1}. ${question}` }))
      return { kind: 'choose' as const, says: [{ text: 'choose' } as const, ...options] }
    }
    case 'unknown':
      return { kind: 'unknown' as const, says: [{ text: 'unknown' } as const] }
  }
}

/** Returns what is said for what a model understood; null when the built-in ranking decides. */
function sayUnderstood(understood: Understood) {
  if (understood.kind === 'answer') return { kind: 'answer' as const, says: [{ words: understood.text }] }
  if (understood.kind === 'person') return { kind: 'person' as const, says: [toPerson] }
  return null
}

async function requireUnderstood(db: Db, organizationId: string, result: QueryResult): Promise<Understood> {
  if (result.is === 'understood') return result.understood
  if (result.is === 'quota') {
    const { period } = result
    const used = await findUsed(db, organizationId, period)
    throw apiError('AI_QUOTA_EXCEEDED', 'The AI allowance is used up. It is renewed on the 1st.', {
      limitUsd: period.limitMicroUsd / 1_000_000,
      usedUsd: used / 1_000_000,
      renewsAt: period.renewsAt?.toISOString() ?? null,
    })
  }
  if (result.failure.kind === 'busy') {
    throw apiError('AI_BUSY', 'The model is busy. Try again in some seconds.', { retryAfterSeconds: 5 })
  }
  throw apiError('AI_UNAVAILABLE', 'The model did not respond as it must. Try again later.')
}
