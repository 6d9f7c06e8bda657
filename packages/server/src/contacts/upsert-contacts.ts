import type { Db } from '../db/db.ts'
import { type ContactInput, findKnown, insertContacts, type KnownContact, updateContacts } from './upsert-store.ts'

/** Contacts that were made by others, or joined with another one, while we looked. */
const maxAttempts = 5

/**
 * Makes sure that everybody who was seen is a contact, and keeps the names they show. Answers the contact of each by
 * {@link personKey}. It is the first thing of a transaction that stores something of these people: until it ends no
 * other transaction joins them with another contact.
 */
export async function upsertContacts(
  trx: Db,
  inputs: readonly ContactInput[],
): Promise<ReadonlyMap<string, KnownContact>> {
  const people = new Map<string, KnownContact>()
  const distinct = [...new Map(inputs.map((seen) => [`${personKey(seen)} ${seen.containerId}`, seen])).values()]
  if (distinct.length === 0) return people
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const found = await findKnown(trx, distinct)
    for (const contact of found) people.set(personKey(contact), contact)
    const missing = distinct.filter((seen) => !people.has(personKey(seen)))
    if (missing.length === 0) {
      const changed = new Set(found.filter((contact) => contact.news).map(personKey))
      if (changed.size > 0) {
        await updateContacts(
          trx,
          distinct.filter((seen) => changed.has(personKey(seen))),
        )
      }
      return people
    }
    await insertContacts(trx, [...new Map(missing.map((seen) => [personKey(seen), seen])).values()])
  }
  throw new Error('contacts were made and joined faster than they could be found')
}

/** The key of a person within {@link upsertContacts}: the organization and the address. */
export function personKey({ organizationId, address }: Pick<ContactInput, 'organizationId' | 'address'>): string {
  return `${organizationId} ${address}`
}
