import { moveConversations } from '#conversations/records/bot-merge-store.ts'
import { countMessages, moveChats } from '#conversations/records/merge-store.ts'
import { type Db, transaction } from '#platform/db/db.ts'
import {
  dropLid,
  findUnlinked,
  insertPair,
  insertPairs,
  joinContacts,
  lockHalves,
  type Pair,
  writeLids,
  writePair,
} from './link-store.ts'

/** The organization of the contacts, and the number that reported them. */
interface OfNumber {
  readonly organizationId: string
  readonly containerId: string
}

const uniqueViolation = '23505'
const maxAttempts = 5
const batchSize = 500

/** The result of linking hidden ids with phone numbers. */
export interface Linked {
  /** Contacts of which both are known now, and were not before. */
  readonly people: number
  /** Their messages that belonged to the hidden id alone. */
  readonly messages: number
}

/**
 * Links hidden ids and phone numbers that the network reports as one person's. Two contacts are merged into the one
 * with the digits, with the chats, names and decisions of both. Known pairs and pairs with an empty half are skipped.
 */
export async function linkPairs(db: Db, number: OfNumber, pairs: readonly Pair[]): Promise<Linked> {
  let people = 0
  let messages = 0
  if (pairs.length === 0) return { people, messages }
  const usable = pairs.filter(({ lid, digits }) => lid !== '' && digits !== '')
  const unlinked = await findUnlinked(db, number.organizationId, usable)
  for (let from = 0; from < unlinked.length; from += batchSize) {
    const some = unlinked.slice(from, from + batchSize)
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
 * Links the pairs that merge no contacts, which is most of an address book: nothing is known of them, or only the
 * digits. Returns the keys of these pairs. Pairs that another transaction writes at the same time are left to
 * {@link linkOne}.
 */
async function linkSimple(db: Db, number: OfNumber, pairs: readonly Pair[]): Promise<ReadonlySet<string>> {
  if (pairs.length === 1) return new Set()
  const { organizationId, containerId } = number
  try {
    return await transaction(db, async (trx) => {
      const written = await writeLids(trx, organizationId, pairs)
      const inserted = await insertPairs(trx, organizationId, containerId, pairs)
      return new Set([...written, ...inserted].map(pairKey))
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
 * Links one pair. Returns how many messages belonged to the hidden id, or null if the pair was linked already. Another
 * transaction that creates the other half is noticed only by a unique violation; then the link starts over.
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
    // The hidden id belongs to other digits now. Earlier messages stay with the old digits.
    await dropLid(trx, organizationId, byLid.id)
    return link(trx, number, pair)
  }
  if (byLid && byDigits) {
    const moved = await moveChats(trx, organizationId, byLid.id, byDigits.id)
    await moveConversations(trx, organizationId, byLid.id, byDigits.id)
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
