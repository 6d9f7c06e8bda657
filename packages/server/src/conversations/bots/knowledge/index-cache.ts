import { limits } from '@msgctl/contract'
import { semaphore } from '@msgctl/network/semaphore'
import { groupBy } from '#platform/concurrency/rounds.ts'
import type { Db } from '#platform/db/db.ts'
import type { Services } from '#services.ts'
import type { OfBot } from './answer-store.ts'
import { readKnowledge } from './index-store.ts'
import { buildIndex, type QuestionIndex } from './question-index.ts'

/** What the indexes of a process take in memory: those of 14 assistants at the limit, or of hundreds of usual ones. */
const mostBytes = 64 * 1024 * 1024

/** Indexes that a process builds concurrently, of different organizations. */
const concurrentBuilds = 2

/** An assistant at one version of its answers. */
interface KnowledgeVersion extends OfBot {
  readonly version: number
}

/** The indexes of one assistant, by language. */
export type Indexes = ReadonlyMap<string, QuestionIndex>

/** The indexes that this process keeps in memory. */
export interface IndexCache {
  /**
   * Returns the indexes of an assistant at a version or a later one, and builds them when they are missing. Concurrent
   * calls share a build. `db` is a pool, not a transaction.
   */
  find(db: Db, knowledge: KnowledgeVersion): Promise<Indexes>
}

/** What a cache can be opened with. */
export interface IndexCacheOptions {
  readonly log: Services['log']
  /** Beyond so many bytes, the indexes that were not used for longest are dropped (default: 64 MiB). */
  readonly limit?: number
  readonly build?: typeof buildIndex
}

interface Entry {
  readonly version: number
  readonly indexes: Indexes
  readonly bytes: number
}

/** Opens an empty cache. */
export function openIndexCache({ log, limit = mostBytes, build = buildIndex }: IndexCacheOptions): IndexCache {
  // In the order of their last use.
  const entries = new Map<string, Entry>()
  const builds = new Map<string, Promise<Entry>>()
  const permits = semaphore({ limit: concurrentBuilds, limitPerKey: () => 1 })

  function keep(botId: string, entry: Entry): Entry {
    entries.delete(botId)
    entries.set(botId, entry)
    let total = [...entries.values()].reduce((sum, { bytes }) => sum + bytes, 0)
    for (const [oldest, { bytes }] of entries) {
      if (total <= limit || oldest === botId) break
      entries.delete(oldest)
      total -= bytes
    }
    return entry
  }

  async function read(db: Db, bot: OfBot): Promise<Entry> {
    const { organizationId, botId } = bot
    const { version = 0, characters = 0, questions = [] } = (await readKnowledge(db, bot)) ?? {}
    if (characters > limits.bots.questionCharacters) {
      const fields = { event: 'bot_index_cut', organizationId, botId, characters } as const
      log.warn(fields, 'an assistant has questions beyond the limit of their characters, which it does not find')
    }
    const indexes = new Map<string, QuestionIndex>()
    for (const [lang, some] of groupBy(questions, ({ lang }) => lang)) indexes.set(lang, await build(some))
    const bytes = [...indexes.values()].reduce((sum, index) => sum + index.bytes, 0)
    return { version, indexes, bytes }
  }

  /** Builds the indexes of an assistant, or joins the build that is under way. */
  function buildOnce(db: Db, bot: OfBot): Promise<Entry> {
    const running = builds.get(bot.botId)
    if (running) return running
    const started = permits
      .run(bot.organizationId, () => read(db, bot))
      .then((entry) => keep(bot.botId, entry))
      .finally(() => builds.delete(bot.botId))
    builds.set(bot.botId, started)
    return started
  }

  return {
    async find(db, { version, ...bot }) {
      const kept = entries.get(bot.botId)
      if (kept && kept.version >= version) return keep(bot.botId, kept).indexes
      const built = await buildOnce(db, bot)
      // The build that was joined can have read the answers before they changed. The next one reads them after.
      return built.version >= version ? built.indexes : (await buildOnce(db, bot)).indexes
    },
  }
}

/**
 * Returns the index for a question in `lang`: that of the language, else the one of the first language that has any.
 */
export function indexFor(indexes: Indexes, lang: string, languages: readonly string[]): QuestionIndex | undefined {
  const order = [lang, ...languages]
  return order.map((one) => indexes.get(one)).find((index) => index !== undefined) ?? [...indexes.values()][0]
}
