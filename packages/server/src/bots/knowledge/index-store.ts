import { type Db, preparedRows, rows } from '../../db/db.ts'
import { stemmerOf } from './features.ts'
import type { KnowledgeVersion } from './index-cache.ts'
import type { IndexedQuestion } from './question-index.ts'

/** Returns the questions of the enabled answers of an assistant, with their language. */
export async function listIndexed(
  db: Db,
  { organizationId, botId }: KnowledgeVersion,
): Promise<(IndexedQuestion & { readonly lang: string })[]> {
  return rows(
    db,
    `select q.answer_id as "answerId", q.text, q.stems, q.lang
       from bot_questions q join bot_answers a on a.id = q.answer_id
      where q.organization_id = :organizationId and q.bot_id = :botId and a.enabled
      order by a.created_at, a.id, q.place`,
    { organizationId, botId },
  )
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
  const found = await db('bots').where({ organization_id: organizationId, id: botId }).first('knowledge_version')
  return Number(found?.knowledge_version ?? 0)
}
