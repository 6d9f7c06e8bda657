import type { BotAnswer } from '@msgctl/contract'
import { type Db, preparedRows, rows, serviceNow } from '#platform/db/db.ts'
import { stemmerOf } from './features.ts'

/** A stored answer with its questions. */
export type AnswerRow = Omit<BotAnswer, 'createdAt' | 'updatedAt'> & {
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** The assistant of answers. */
export interface OfBot {
  readonly organizationId: string
  readonly botId: string
}

const columns = `
  a.id, a.answer, a.lang, a.enabled, a.created_at, a.updated_at,
  array(select q.text from bot_questions q where q.answer_id = a.id order by q.place) as questions`

/** Returns one page of the answers of an assistant, the oldest first. */
export async function listAnswers(
  db: Db,
  { organizationId, botId }: OfBot,
  page: { readonly limit: number; readonly offset: number },
): Promise<AnswerRow[]> {
  return rows<AnswerRow>(
    db,
    `select ${columns} from bot_answers a where a.organization_id = :organizationId and a.bot_id = :botId
      order by a.created_at, a.id limit :limit offset :offset`,
    { organizationId, botId, ...page },
  )
}

/** Counts the answers of an assistant. */
export async function countAnswers(db: Db, { organizationId, botId }: OfBot): Promise<number> {
  const [counted] = await rows<{ total: number }>(
    db,
    `select count(*) as total from bot_answers where organization_id = :organizationId and bot_id = :botId`,
    { organizationId, botId },
  )
  return counted?.total ?? 0
}

/** Returns these answers of an assistant. */
export async function findAnswers(
  db: Db,
  { organizationId, botId }: OfBot,
  ids: readonly string[],
): Promise<AnswerRow[]> {
  return rows<AnswerRow>(
    db,
    `select ${columns} from bot_answers a
      where a.organization_id = :organizationId and a.bot_id = :botId and a.id = any(:ids::uuid[])`,
    { organizationId, botId, ids },
  )
}

/** Returns the texts of those of these answers that are enabled, by id. */
export async function findEnabledTexts(
  db: Db,
  { organizationId, botId }: OfBot,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const found = await preparedRows<{ id: string; answer: string }>(
    db,
    `select id, answer from bot_answers
      where organization_id = :organizationId and bot_id = :botId and id = any(:ids::uuid[]) and enabled`,
    { organizationId, botId, ids },
  )
  return new Map(found.map(({ id, answer }) => [id, answer]))
}

/** Returns the id of the answer with exactly this text, or undefined. */
export async function findAnswerByText(
  db: Db,
  { organizationId, botId }: OfBot,
  answer: string,
  lang: string,
): Promise<string | undefined> {
  const [found] = await rows<{ id: string }>(
    db,
    `select id from bot_answers where organization_id = :organizationId and bot_id = :botId and answer = :answer
        and lang = :lang order by created_at limit 1`,
    { organizationId, botId, answer, lang },
  )
  return found?.id
}

/** An answer to store. */
export interface NewAnswer {
  readonly id: string
  readonly answer: string
  readonly lang: string
  readonly enabled: boolean
  readonly questions: readonly string[]
}

/** Stores answers without their questions. */
export async function insertAnswers(
  trx: Db,
  { organizationId, botId }: OfBot,
  answers: readonly NewAnswer[],
): Promise<void> {
  await rows(
    trx,
    `insert into bot_answers (id, bot_id, organization_id, answer, lang, enabled, created_at, updated_at)
     select n.id, :botId, :organizationId, n.answer, n.lang, n.enabled, (select service_now()), (select service_now())
       from jsonb_to_recordset(:answers::jsonb) as n(id uuid, answer text, lang text, enabled boolean)`,
    { organizationId, botId, answers: JSON.stringify(answers) },
  )
}

/** A question to store. */
export interface NewQuestion {
  readonly answerId: string
  readonly place: number
  readonly text: string
  /** The text as it is compared. */
  readonly asked: string
  readonly lang: string
}

/**
 * SQL: the characters that a question counts, of the longer one of its two forms: as it is written, and as it is
 * compared.
 */
export const questionCharacters = 'greatest(length(q.text), length(q.asked))'

/**
 * Returns how many characters the questions of an assistant have: those of the answers `ids`, and those of all others.
 */
export async function countCharacters(
  trx: Db,
  { organizationId, botId }: OfBot,
  ids: readonly string[],
): Promise<{ readonly ofThese: number; readonly ofOthers: number }> {
  const [counted] = await rows<{ ofThese: number; ofOthers: number }>(
    trx,
    `select coalesce(sum(${questionCharacters}) filter (where q.answer_id = any(:ids::uuid[])), 0)::int8 as of_these,
            coalesce(sum(${questionCharacters}) filter (where q.answer_id <> all(:ids::uuid[])), 0)::int8 as of_others
       from bot_questions q where q.organization_id = :organizationId and q.bot_id = :botId`,
    { organizationId, botId, ids },
  )
  return counted ?? { ofThese: 0, ofOthers: 0 }
}

/** Stores questions with their stems. Returns those that the assistant has already, which are not stored. */
export async function insertQuestions(
  trx: Db,
  { organizationId, botId }: OfBot,
  questions: readonly NewQuestion[],
): Promise<NewQuestion[]> {
  const given = questions.map((question) => ({ ...question, stemmer: stemmerOf(question.lang) }))
  const stored = await rows<{ answerId: string; place: number }>(
    trx,
    `insert into bot_questions (answer_id, place, bot_id, organization_id, lang, text, asked, stems)
     select n."answerId", n.place, :botId, :organizationId, n.lang, n.text, n.asked,
            tsvector_to_array(to_tsvector(n.stemmer::regconfig, n.text))
       from jsonb_to_recordset(:given::jsonb) as n("answerId" uuid, place int, lang text, text text, asked text,
           stemmer text)
     on conflict do nothing
     returning answer_id, place`,
    { organizationId, botId, given: JSON.stringify(given) },
  )
  const keys = new Set(stored.map(({ answerId, place }) => `${answerId} ${place}`))
  return questions.filter(({ answerId, place }) => !keys.has(`${answerId} ${place}`))
}

/** Deletes the questions of answers. */
export async function deleteQuestions(trx: Db, organizationId: string, answerIds: readonly string[]): Promise<void> {
  await trx('bot_questions').where({ organizationId }).whereIn('answerId', answerIds).delete()
}

/** Changes an answer; undefined keeps a value. */
export async function updateAnswer(
  trx: Db,
  organizationId: string,
  id: string,
  change: {
    readonly answer?: string | undefined
    readonly lang?: string | undefined
    readonly enabled?: boolean | undefined
  },
): Promise<void> {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
  await trx('bot_answers')
    .where({ organizationId, id })
    .update({ ...given, updatedAt: serviceNow(trx) })
}

/** Deletes an answer. Returns false when there was none. */
export async function deleteAnswer(trx: Db, { organizationId, botId }: OfBot, id: string): Promise<boolean> {
  return (await trx('bot_answers').where({ organizationId, botId, id }).delete()) > 0
}

/** Raises the version of what an assistant knows, so that every process builds its index again. */
export async function raiseVersion(trx: Db, { organizationId, botId }: OfBot): Promise<void> {
  await trx('bots').where({ organizationId, id: botId }).increment('knowledgeVersion', 1)
}

/**
 * Locks an assistant against other changes of what it knows. Returns its languages, or undefined when there is none.
 */
export async function lockKnowledge(trx: Db, { organizationId, botId }: OfBot): Promise<string[] | undefined> {
  const [found] = await rows<{ languages: string[] }>(
    trx,
    `select languages from bots where organization_id = :organizationId and id = :botId for no key update`,
    { organizationId, botId },
  )
  return found?.languages
}

/** Returns whether the organization has this assistant. */
export async function hasBot(db: Db, { organizationId, botId }: OfBot): Promise<boolean> {
  return (await db('bots').where({ organizationId, id: botId }).first('id')) !== undefined
}
