import { limits } from '@msgctl/contract'
import { type Db, preparedRows, rows } from '#platform/db/db.ts'
import { type OfBot, questionCharacters } from './answer-store.ts'
import { stemmerOf } from './features.ts'
import type { IndexedQuestion } from './question-index.ts'

/** What an assistant knows at one moment. */
export interface Knowledge {
  /** The version of its answers. */
  readonly version: number
  /** The characters of all questions, of which the first {@link limits.bots.questionCharacters} are listed. */
  readonly characters: number
  readonly questions: readonly (IndexedQuestion & { readonly lang: string })[]
}

/**
 * Returns the questions of the enabled answers of an assistant, up to the limit of their characters. Undefined without
 * the assistant. They come as one JSON text, because parsing thousands of rows in the driver costs more.
 */
export async function readKnowledge(db: Db, { organizationId, botId }: OfBot): Promise<Knowledge | undefined> {
  const [found] = await rows<Omit<Knowledge, 'questions'> & { questions: string }>(
    db,
    `with known as (
       select q.answer_id, q.text, q.stems, q.lang,
              sum(${questionCharacters}) over (order by a.created_at, a.id, q.place)::int8 as up_to
         from bot_questions q join bot_answers a on a.id = q.answer_id
        where q.organization_id = :organizationId and q.bot_id = :botId and a.enabled)
     select b.knowledge_version as version, coalesce((select max(up_to) from known), 0) as characters,
            coalesce((select json_agg(json_build_object('answerId', answer_id, 'lang', lang, 'text', text, 'stems',
                  stems)
                                      order by up_to)
                        from known where up_to <= :limit), '[]')::text as questions
       from bots b where b.organization_id = :organizationId and b.id = :botId`,
    { organizationId, botId, limit: limits.bots.questionCharacters },
  )
  return found && { ...found, questions: JSON.parse(found.questions) }
}

/** Returns the stems of a text, as they are stored with a question. */
export async function findStems(db: Db, text: string, lang: string): Promise<string[]> {
  const [found] = await preparedRows<{ stems: string[] }>(
    db,
    `select tsvector_to_array(to_tsvector(:stemmer::regconfig, :text)) as stems`,
    { stemmer: stemmerOf(lang), text },
  )
  return found?.stems ?? []
}

/** Returns the version of what an assistant knows. */
export async function findVersion(
  db: Db,
  { organizationId, botId }: { readonly organizationId: string; readonly botId: string },
): Promise<number> {
  const found = await db('bots').where({ organizationId, id: botId }).first('knowledgeVersion')
  return Number(found?.knowledgeVersion ?? 0)
}
