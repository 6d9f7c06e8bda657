import { type Db, transaction } from '../../db/db.ts'
import type { Services } from '../../services.ts'
import { emptyPack, type Pack, packMessages } from './pack.ts'
import {
  appendPacks,
  insertPacks,
  lockPacking,
  mergeIndex,
  organizationsToPack,
  organizationWithChanges,
  type PackEnd,
  removePack,
  takeChanges,
  unpackedMessages,
} from './pack-store.ts'
import { longHistory } from './search.ts'

const messagesAtOnce = 4000
const changesAtOnce = 500

/** A run ends after this long; the next one goes on. */
const mostMs = 30_000

/** With fewer unpacked messages than this a search reads them row by row, and packing waits for more. */
const enough = 500

/**
 * Packs long histories for searching, and writes packs anew whose messages changed. Any number of workers may do it at
 * once: an organization is packed by one of them.
 */
export async function packHistories({ db }: Pick<Services, 'db'>): Promise<void> {
  const until = performance.now() + mostMs
  const inTime = () => performance.now() < until
  while (inTime()) {
    const organizationId = await organizationWithChanges(db)
    if (organizationId === null || !(await transaction(db, (trx) => repackSome(trx, organizationId)))) break
  }
  for (const organizationId of await organizationsToPack(db, { longHistory, enough })) {
    while (inTime() && (await transaction(db, (trx) => packSome(trx, organizationId))));
  }
}

/** Packs the next messages of an organization; true when there may be more. */
async function packSome(trx: Db, organizationId: string): Promise<boolean> {
  if (!(await lockPacking(trx, organizationId))) return false
  const messages = await unpackedMessages(trx, organizationId, messagesAtOnce)
  const packs = packMessages(messages, { keepRest: false })
  await appendPacks(trx, organizationId, packs)
  await mergeIndex(trx)
  return messages.length === messagesAtOnce
}

/** Writes some packs anew; true when there may be more. */
async function repackSome(trx: Db, organizationId: string): Promise<boolean> {
  if (!(await lockPacking(trx, organizationId))) return false
  const { changes, ends } = await takeChanges(trx, organizationId, changesAtOnce)
  for (const end of ends) {
    const packs = packMessages(await removePack(trx, organizationId, end), { keepRest: true })
    await insertPacks(trx, organizationId, endingAt(end, packs))
  }
  if (ends.length > 0) await mergeIndex(trx)
  return changes > 0
}

/**
 * The last of the packs keeps the end of the one that they replace, even when nothing is left in it: what is stored
 * there later then finds its pack.
 */
function endingAt(end: PackEnd, packs: readonly Pack[]): { pack: Pack; end: PackEnd }[] {
  const all = packs.length > 0 ? packs : [emptyPack]
  return all.map((pack, n) => {
    const last = n < all.length - 1 ? pack.messages.at(-1) : undefined
    return { pack, end: last ? { untilAt: last.createdAt, untilId: last.id } : end }
  })
}
