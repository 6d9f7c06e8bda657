import { type Db, transaction } from '../../db/db.ts'
import type { Services } from '../../services.ts'
import { longHistory } from './search.ts'
import { buildBlocks, emptyBlock, type SearchBlock } from './search-index.ts'
import {
  appendBlocks,
  type BlockEnd,
  insertBlocks,
  lockIndexing,
  mergeIndex,
  organizationsToIndex,
  organizationWithChanges,
  removeBlock,
  takeChanges,
  unindexedMessages,
} from './search-index-store.ts'

const messageBatchSize = 4000
const changeBatchSize = 500

/** A run ends after this long; the next one goes on. */
const maxRunMs = 30_000

/** With fewer unpacked messages than this a search reads them row by row, and packing waits for more. */
const enough = 500

/**
 * Packs long histories for searching, and writes packs anew whose messages changed. Any number of workers may do it at
 * once: an organization is packed by one of them.
 */
export async function indexHistories({ db }: Pick<Services, 'db'>): Promise<void> {
  const until = performance.now() + maxRunMs
  const inTime = () => performance.now() < until
  while (inTime()) {
    const organizationId = await organizationWithChanges(db)
    if (organizationId === null || !(await transaction(db, (trx) => reindexSome(trx, organizationId)))) break
  }
  for (const organizationId of await organizationsToIndex(db, { longHistory, enough })) {
    while (inTime() && (await transaction(db, (trx) => indexSome(trx, organizationId))));
  }
}

/** Packs the next messages of an organization; true when there may be more. */
async function indexSome(trx: Db, organizationId: string): Promise<boolean> {
  if (!(await lockIndexing(trx, organizationId))) return false
  const messages = await unindexedMessages(trx, organizationId, messageBatchSize)
  const packs = buildBlocks(messages, { keepRest: false })
  await appendBlocks(trx, organizationId, packs)
  await mergeIndex(trx)
  return messages.length === messageBatchSize
}

/** Writes some packs anew; true when there may be more. */
async function reindexSome(trx: Db, organizationId: string): Promise<boolean> {
  if (!(await lockIndexing(trx, organizationId))) return false
  const { changes, ends } = await takeChanges(trx, organizationId, changeBatchSize)
  for (const end of ends) {
    const packs = buildBlocks(await removeBlock(trx, organizationId, end), { keepRest: true })
    await insertBlocks(trx, organizationId, endingAt(end, packs))
  }
  if (ends.length > 0) await mergeIndex(trx)
  return changes > 0
}

/**
 * The last of the packs keeps the end of the one that they replace, even when nothing is left in it: what is stored
 * there later then finds its pack.
 */
function endingAt(end: BlockEnd, packs: readonly SearchBlock[]): { pack: SearchBlock; end: BlockEnd }[] {
  const all = packs.length > 0 ? packs : [emptyBlock]
  return all.map((pack, n) => {
    const last = n < all.length - 1 ? pack.messages.at(-1) : undefined
    return { pack, end: last ? { untilAt: last.createdAt, untilId: last.id } : end }
  })
}
