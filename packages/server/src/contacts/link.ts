import { type Db, transaction } from '../db/db.ts'
import {
  countMessages,
  dropLid,
  findNews,
  insertPair,
  joinContacts,
  lockHalves,
  moveChats,
  type Pair,
  writePair,
} from './link-store.ts'

/** What came of bringing hidden ids and numbers together. */
export interface Linked {
  /** People of whom both are known now, and were not before. */
  readonly people: number
  /** Messages of theirs that stood under the hidden id alone. */
  readonly messages: number
}

/**
 * Brings hidden ids and digits together that the network tells are one person's: two contacts become the one with the
 * digits, with all conversations, names and decisions of both. A pair that is known costs nothing.
 */
export async function linkPairs(
  db: Db,
  number: { readonly organizationId: string; readonly containerId: string },
  pairs: readonly Pair[],
): Promise<Linked> {
  let people = 0
  let messages = 0
  if (pairs.length === 0) return { people, messages }
  for (const pair of await findNews(db, number.organizationId, pairs)) {
    const moved = await transaction(db, (trx) => link(trx, number, pair))
    if (moved === null) continue
    people++
    messages += moved
  }
  return { people, messages }
}

/** One pair; answers how many messages stood under the hidden id, or null when it was no news any more. */
async function link(
  trx: Db,
  { organizationId, containerId }: { organizationId: string; containerId: string },
  pair: Pair,
): Promise<number | null> {
  const halves = await lockHalves(trx, organizationId, pair)
  const byDigits = halves.find(({ phone }) => phone === pair.digits)
  const byLid = halves.find(({ lid }) => lid === pair.lid)
  if (byDigits && byDigits === byLid) return null
  if (!byDigits && !byLid) {
    // Whoever made one of them meanwhile has committed by now, or made both and needs no help.
    return (await insertPair(trx, organizationId, containerId, pair))
      ? 0
      : link(trx, { organizationId, containerId }, pair)
  }
  if (byLid && byLid.phone === null) {
    if (!byDigits) {
      await writePair(trx, organizationId, byLid.id, pair)
      return countMessages(trx, organizationId, byLid.id)
    }
    const moved = await moveChats(trx, organizationId, byLid.id, byDigits.id)
    await joinContacts(trx, organizationId, byLid.id, byDigits.id)
    await writePair(trx, organizationId, byDigits.id, pair)
    return moved
  }
  // The hidden id went over to other digits: what was written under the old ones stays with them.
  if (byLid) await dropLid(trx, organizationId, byLid.id)
  if (byDigits) await writePair(trx, organizationId, byDigits.id, pair)
  else await insertPair(trx, organizationId, containerId, pair)
  return 0
}
