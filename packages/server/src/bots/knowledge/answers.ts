import { type BotAnswer, type Contract, limits } from '@msgctl/contract'
import { type Db, transaction } from '../../db/db.ts'
import { newId } from '../../db/new-id.ts'
import { apiError, invalidFields } from '../../errors.ts'
import type { Handlers, Request } from '../../http/handler.ts'
import { normalize } from '../texts/languages.ts'
import {
  type AnswerRow,
  countAnswers,
  deleteAnswer,
  deleteQuestions,
  findAnswers,
  hasBot,
  insertAnswers,
  insertQuestions,
  listAnswers,
  lockKnowledge,
  type NewAnswer,
  type OfBot,
  raiseVersion,
  updateAnswer,
} from './answer-store.ts'

type Resource = Contract['bots']
type Given = Omit<NewAnswer, 'id' | 'lang'> & { readonly lang?: string | undefined }

/** The handlers of the answers of an assistant. */
export const answerHandlers = {
  async answers({ caller, params, query }, { db }) {
    const bot = { organizationId: caller.organizationId, botId: params.botId }
    const { page, limit } = query
    if (!(await hasBot(db, bot))) throw noSuchBot()
    const [total, found] = await Promise.all([
      countAnswers(db, bot),
      listAnswers(db, bot, { limit, offset: (page - 1) * limit }),
    ])
    return { total, page, limit, answers: found.map(toAnswer) }
  },

  async addAnswer({ caller, params, body, idempotency }: Request<Resource['addAnswer']>) {
    const bot = { organizationId: caller.organizationId, botId: params.botId }
    return idempotency.transact(async (trx) => {
      const [id = ''] = await addAnswers(trx, bot, [body])
      const [stored] = await findAnswers(trx, bot, [id])
      if (!stored) throw noSuchAnswer()
      return { answer: toAnswer(stored) }
    })
  },

  async importAnswers({ caller, params, body, idempotency }: Request<Resource['importAnswers']>) {
    requireDistinct(body.rows)
    const bot = { organizationId: caller.organizationId, botId: params.botId }
    return idempotency.transact(async (trx) => ({ created: (await addAnswers(trx, bot, body.rows)).length }))
  },

  async changeAnswer({ caller, params, body }, { db }) {
    const bot = { organizationId: caller.organizationId, botId: params.botId }
    const { questions, ...change } = body
    return transaction(db, async (trx) => {
      if (!(await lockKnowledge(trx, bot))) throw noSuchBot()
      const [before] = await findAnswers(trx, bot, [params.answerId])
      if (!before) throw noSuchAnswer()
      await updateAnswer(trx, bot.organizationId, before.id, change)
      await deleteQuestions(trx, bot.organizationId, before.id)
      const lang = change.lang ?? before.lang
      await storeQuestions(trx, bot, [{ ...before, lang, questions: questions ?? before.questions }])
      await raiseVersion(trx, bot)
      const [after] = await findAnswers(trx, bot, [before.id])
      return { answer: toAnswer(after ?? before) }
    })
  },

  async removeAnswer({ caller, params }, { db }) {
    const bot = { organizationId: caller.organizationId, botId: params.botId }
    return transaction(db, async (trx) => {
      if (!(await lockKnowledge(trx, bot))) throw noSuchBot()
      if (!(await deleteAnswer(trx, bot, params.answerId))) throw noSuchAnswer()
      await raiseVersion(trx, bot)
      return {}
    })
  },
} satisfies Partial<Handlers<Resource>>

/**
 * Adds answers to an assistant, and returns their ids. Throws NOT_FOUND, CONFLICT for a question that it has already, and
 * FORBIDDEN_ACTION beyond the limit.
 */
export async function addAnswers(trx: Db, bot: OfBot, given: readonly Given[]): Promise<string[]> {
  const languages = await lockKnowledge(trx, bot)
  if (!languages) throw noSuchBot()
  const limit = limits.bots.answers
  const used = await countAnswers(trx, bot)
  if (used + given.length > limit) {
    const message = `An assistant has at most ${limit} answers; it has ${used}.`
    throw apiError('FORBIDDEN_ACTION', message, { reason: 'quota_reached', limit, used, requested: given.length })
  }
  const rows = given.map((one) => ({ ...one, id: newId(), lang: one.lang ?? languages[0] ?? 'en' }))
  await insertAnswers(trx, bot, rows)
  await storeQuestions(trx, bot, rows)
  await raiseVersion(trx, bot)
  return rows.map(({ id }) => id)
}

/** Stores the questions of answers. Throws CONFLICT for one that the assistant has already in this language. */
export async function storeQuestions(
  trx: Db,
  bot: OfBot,
  answers: readonly Pick<NewAnswer, 'id' | 'lang' | 'questions'>[],
): Promise<void> {
  const questions = answers.flatMap(({ id, lang, questions }) =>
    questions.map((text, place) => ({ answerId: id, place, text, lang })),
  )
  const [known] = await insertQuestions(trx, bot, questions)
  if (!known) return
  const message = `The assistant has the question "${known.text}" already. Change its answer instead.`
  throw apiError('CONFLICT', message, { reason: 'already_exists' })
}

/** Throws VALIDATION_ERROR for each row with a question that an earlier row of the same language has. */
function requireDistinct(rows: readonly Given[]): void {
  const seen = new Set<string>()
  const faults = new Map<string, string>()
  for (const [row, { questions, lang = '' }] of rows.entries()) {
    for (const question of questions) {
      const key = `${lang} ${normalize(question)}`
      if (seen.has(key)) faults.set(`rows.${row}.questions`, 'has a question that stands in the import already')
      seen.add(key)
    }
  }
  if (faults.size > 0) throw invalidFields('Some rows have the same question. Nothing was stored.', faults)
}

/** Returns a stored answer as the API shows it. */
function toAnswer({ createdAt, updatedAt, ...row }: AnswerRow): BotAnswer {
  return { ...row, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() }
}

/** Returns the error for an assistant that does not exist. */
export function noSuchBot() {
  return apiError('NOT_FOUND', 'There is no such assistant.')
}

function noSuchAnswer() {
  return apiError('NOT_FOUND', 'There is no such answer.')
}
