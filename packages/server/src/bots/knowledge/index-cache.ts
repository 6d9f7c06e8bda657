import { groupBy } from '../../concurrency/rounds.ts'
import type { Db } from '../../db/db.ts'
import { listIndexed } from './index-store.ts'
import { buildIndex, type QuestionIndex } from './question-index.ts'

/** The most questions that a process keeps indexed. */
const maxQuestions = 20_000

/** An assistant at one version of its answers. */
export interface KnowledgeVersion {
  readonly organizationId: string
  readonly botId: string
  readonly version: number
}

/** The indexes of one assistant, by language. */
export type Indexes = ReadonlyMap<string, QuestionIndex>

/** The indexes that this process keeps in memory. */
export interface IndexCache {
  /** Returns the indexes of an assistant, and builds them when they are missing or of another version. */
  find(db: Db, knowledge: KnowledgeVersion): Promise<Indexes>
}

interface Entry {
  readonly version: number
  readonly indexes: Indexes
  readonly size: number
}

/** Opens an empty cache. The least used indexes are dropped beyond `limit` questions (default: 20,000). */
export function openIndexCache(limit = maxQuestions): IndexCache {
  // In the order of their last use.
  const entries = new Map<string, Entry>()

  function keep(botId: string, entry: Entry): void {
    entries.delete(botId)
    entries.set(botId, entry)
    let total = [...entries.values()].reduce((sum, { size }) => sum + size, 0)
    for (const [oldest, { size }] of entries) {
      if (total <= limit || oldest === botId) break
      entries.delete(oldest)
      total -= size
    }
  }

  return {
    async find(db, knowledge) {
      const { botId, version } = knowledge
      const kept = entries.get(botId)
      if (kept?.version === version) {
        keep(botId, kept)
        return kept.indexes
      }
      const questions = await listIndexed(db, knowledge)
      const languages = groupBy(questions, ({ lang }) => lang)
      const indexes = new Map([...languages].map(([lang, some]) => [lang, buildIndex(some)]))
      keep(botId, { version, indexes, size: questions.length })
      return indexes
    },
  }
}

/** Returns the index for a question in `lang`: that of the language, else the one of the first language that has any. */
export function indexFor(indexes: Indexes, lang: string, languages: readonly string[]): QuestionIndex | undefined {
  const order = [lang, ...languages]
  return order.map((one) => indexes.get(one)).find((index) => index !== undefined) ?? [...indexes.values()][0]
}
