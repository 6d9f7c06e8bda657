import type { Db } from '../db/db.ts'
import { findMet, insertMet, type Met, type Sighting, updateMet } from './people-store.ts'

/** Contacts that were made by others, or joined with another one, while we looked. */
const maxLooks = 5

/**
 * Makes sure that everybody who was seen is a contact, and keeps the names they show. Answers the contact of each by
 * {@link personKey}. It is the first thing of a transaction that stores something of these people: until it ends no
 * other transaction joins them with another contact.
 */
export async function meet(trx: Db, sightings: readonly Sighting[]): Promise<ReadonlyMap<string, Met>> {
  const people = new Map<string, Met>()
  const different = [...new Map(sightings.map((seen) => [`${personKey(seen)} ${seen.containerId}`, seen])).values()]
  if (different.length === 0) return people
  for (let look = 0; look < maxLooks; look++) {
    const found = await findMet(trx, different)
    for (const met of found) people.set(personKey(met), met)
    const missing = different.filter((seen) => !people.has(personKey(seen)))
    if (missing.length === 0) {
      const news = new Set(found.filter((met) => met.news).map(personKey))
      if (news.size > 0) {
        await updateMet(
          trx,
          different.filter((seen) => news.has(personKey(seen))),
        )
      }
      return people
    }
    await insertMet(trx, [...new Map(missing.map((seen) => [personKey(seen), seen])).values()])
  }
  throw new Error('contacts were made and joined faster than they could be found')
}

/** The key of a person within {@link meet}: the organization and the address. */
export function personKey({ organizationId, address }: Pick<Sighting, 'organizationId' | 'address'>): string {
  return `${organizationId} ${address}`
}
