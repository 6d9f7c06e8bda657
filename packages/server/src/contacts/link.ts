import { type Db, transaction } from '../db/db.ts'
import {
  countMessages,
  dropLid,
  findNews,
  insertPair,
  insertPairs,
  joinContacts,
  lockHalves,
  moveChats,
  type Pair,
  writeLids,
  writePair,
} from './link-store.ts'

/** Whose people they are, and the number that tells of them. */
interface OfNumber {
  readonly organizationId: string
  readonly containerId: string
}

const uniqueViolation = '23505'
const maxAttempts = 5
const batchSize = 500

/** What came of bringing hidden ids and numbers together. */
export interface Linked {
  /** People of whom both are known now, and were not before. */
  readonly people: number
  /** Messages of theirs that stood under the hidden id alone. */
  readonly messages: number
}

/**
 * Brings hidden ids and digits together that the network tells are one person's: two contacts become the one with the
 * digits, with all conversations, names and decisions of both. A pair that is known costs nothing; one of which half is
 * empty tells nothing.
 */
export async function linkPairs(db: Db, number: OfNumber, pairs: readonly Pair[]): Promise<Linked> {
  let people = 0
  let messages = 0
  if (pairs.length === 0) return { people, messages }
  const usable = pairs.filter(({ lid, digits }) => lid !== '' && digits !== '')
  const news = await findNews(db, number.organizationId, usable)
  for (let from = 0; from < news.length; from += batchSize) {
    const some = news.slice(from, from + batchSize)
    const simple = await linkSimple(db, number, some)
    people += simple.size
    for (const pair of some) {
      if (simple.has(pairKey(pair))) continue
      const moved = await linkOne(db, number, pair)
      if (moved === null) continue
      people++
      messages += moved
    }
  }
  return { people, messages }
}

/**
 * The pairs that join nobody with anybody, which most of an address book are: people of whom nothing is known, or the
 * digits alone. Answers them by {@link pairKey}. What somebody else writes meanwhile is left to {@link linkOne}.
 */
async function linkSimple(db: Db, number: OfNumber, pairs: readonly Pair[]): Promise<ReadonlySet<string>> {
  if (pairs.length === 1) return new Set()
  const { organizationId, containerId } = number
  try {
    return await transaction(db, async (trx) => {
      const written = await writeLids(trx, organizationId, pairs)
      const made = await insertPairs(trx, organizationId, containerId, pairs)
      return new Set([...written, ...made].map(pairKey))
    })
  } catch (error) {
    if (isTaken(error)) return new Set()
    throw error
  }
}

function pairKey({ lid, digits }: Pair): string {
  return `${lid} ${digits}`
}

/**
 * One pair; answers how many messages stood under the hidden id, or null when it was no news any more. Somebody who makes
 * the other half meanwhile is seen only when ours is written, and then all is looked at anew.
 */
async function linkOne(db: Db, number: OfNumber, pair: Pair): Promise<number | null> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction(db, (trx) => link(trx, number, pair))
    } catch (error) {
      if (attempt === maxAttempts || !isTaken(error)) throw error
    }
  }
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === uniqueViolation
}

async function link(trx: Db, number: OfNumber, pair: Pair): Promise<number | null> {
  const { organizationId, containerId } = number
  const halves = await lockHalves(trx, organizationId, pair)
  const byDigits = halves.find(({ phone }) => phone === pair.digits)
  const byLid = halves.find(({ lid }) => lid === pair.lid)
  if (byDigits && byDigits === byLid) return null
  if (byLid && byLid.phone !== null) {
    // The hidden id went over to other digits: what was written under the old ones stays with them.
    await dropLid(trx, organizationId, byLid.id)
    return link(trx, number, pair)
  }
  if (byLid && byDigits) {
    const moved = await moveChats(trx, organizationId, byLid.id, byDigits.id)
    await joinContacts(trx, organizationId, byLid.id, byDigits.id)
    await writePair(trx, organizationId, byDigits.id, pair)
    return moved
  }
  const known = byLid ?? byDigits
  if (known) {
    await writePair(trx, organizationId, known.id, pair)
    return byLid ? countMessages(trx, organizationId, byLid.id) : 0
  }
  return (await insertPair(trx, organizationId, containerId, pair)) ? 0 : link(trx, number, pair)
}
