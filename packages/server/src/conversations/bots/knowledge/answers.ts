import { type BotAnswer, type Contract, limits } from '@msgctl/contract'
import type { Handlers, Request } from '#api/http/handler.ts'
import { normalize } from '#conversations/bots/texts/languages.ts'
import { yielding } from '#platform/concurrency/yielding.ts'
import { type Db, transaction } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'
import { apiError, invalidFields } from '#platform/errors.ts'
import {
  type AnswerRow,
  countAnswers,
  countCharacters,
  deleteAnswer,
  deleteQuestions,
  findAnswers,
  hasBot,
  insertAnswers,
  insertQuestions,
  listAnswers,
  lockKnowledge,
  type NewAnswer,
  type NewQuestion,
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
    const bot = { organizationId: caller.organizationId, botId: params.botId }
    const { rows } = body
    const compared = await toCompared(rows.flatMap(({ questions }) => questions))
    requireDistinct(rows, compared)
    return idempotency.transact(async (trx) => ({ created: (await addAnswers(trx, bot, rows, compared)).length }))
  },

  async changeAnswer({ caller, params, body }, { db }) {
    const bot = { organizationId: caller.organizationId, botId: params.botId }
    const { questions, ...change } = body
    return transaction(db, async (trx) => {
      if (!(await lockKnowledge(trx, bot))) throw noSuchBot()
      const [before] = await findAnswers(trx, bot, [params.answerId])
      if (!before) throw noSuchAnswer()
      await updateAnswer(trx, bot.organizationId, before.id, change)
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
 * Adds answers to an assistant, and returns their ids. Throws NOT_FOUND, CONFLICT for a question that it has already,
 * and FORBIDDEN_ACTION beyond the limits.
 */
export async function addAnswers(trx: Db, bot: OfBot, given: readonly Given[], compared?: Compared): Promise<string[]> {
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
  await storeQuestions(trx, bot, rows, compared)
  await raiseVersion(trx, bot)
  return rows.map(({ id }) => id)
}

/**
 * Stores the questions of answers of a locked assistant, in place of those that the answers had. Throws CONFLICT for
 * one that the assistant has already in this language, and FORBIDDEN_ACTION beyond the limit of their characters.
 */
export async function storeQuestions(
  trx: Db,
  bot: OfBot,
  answers: readonly Pick<NewAnswer, 'id' | 'lang' | 'questions'>[],
  compared?: Compared,
): Promise<void> {
  const asked = compared ?? (await toCompared(answers.flatMap(({ questions }) => questions)))
  const questions = answers.flatMap(({ id, lang, questions }) =>
    questions.map((text, place) => ({ answerId: id, place, text, asked: asked.get(text) ?? '', lang })),
  )
  const ids = answers.map(({ id }) => id)
  await requireCharacters(trx, bot, ids, questions)
  await deleteQuestions(trx, bot.organizationId, ids)
  const [known] = await insertQuestions(trx, bot, questions)
  if (!known) return
  const message = `The assistant has the question "${known.text}" already. Change its answer instead.`
  throw apiError('CONFLICT', message, { reason: 'already_exists' })
}

/** Throws FORBIDDEN_ACTION when questions exceed the limit, and are longer than those that they replace. */
async function requireCharacters(
  trx: Db,
  bot: OfBot,
  ids: readonly string[],
  questions: readonly NewQuestion[],
): Promise<void> {
  const limit = limits.bots.questionCharacters
  const { ofThese, ofOthers: used } = await countCharacters(trx, bot, ids)
  const requested = questions.reduce((sum, { text, asked }) => sum + Math.max(lengthOf(text), lengthOf(asked)), 0)
  if (used + requested > limit && requested > ofThese) throw tooManyCharacters({ used, requested })
}

function tooManyCharacters(counted: { readonly used?: number; readonly requested: number }) {
  const limit = limits.bots.questionCharacters
  const message = `The questions of an assistant have at most ${limit} characters together. Shorten or remove some.`
  return apiError('FORBIDDEN_ACTION', message, { reason: 'quota_reached', limit, ...counted })
}

/** Returns the length of a text as the database counts it. */
function lengthOf(text: string): number {
  return [...text].length
}

/** Questions as they are compared, by their texts. */
type Compared = ReadonlyMap<string, string>

/**
 * Returns questions as they are compared, and lets other requests run in between. Throws FORBIDDEN_ACTION for more than
 * an assistant can have, before they are read.
 */
async function toCompared(texts: readonly string[]): Promise<Compared> {
  const requested = texts.reduce((sum, text) => sum + lengthOf(text), 0)
  if (requested > limits.bots.questionCharacters) throw tooManyCharacters({ requested })
  const pause = yielding()
  const compared = new Map<string, string>()
  for (const text of texts) {
    compared.set(text, normalize(text))
    await pause()
  }
  return compared
}

/** Throws VALIDATION_ERROR for each row with a question that an earlier row of the same language has. */
function requireDistinct(rows: readonly Given[], compared: Compared): void {
  const seen = new Set<string>()
  const faults = new Map<string, string>()
  for (const [row, { questions, lang = '' }] of rows.entries()) {
    for (const question of questions) {
      const key = `${lang} ${compared.get(question)}`
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
