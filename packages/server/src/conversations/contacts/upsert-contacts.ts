import type { Db } from '#platform/db/db.ts'
import { type ContactInput, findKnown, insertContacts, type KnownContact, updateContacts } from './upsert-store.ts'

/** Attempts, if other transactions create or merge the same contacts at the same time. */
const maxAttempts = 5

/**
 * Creates missing contacts and updates network names. Returns the contacts by {@link personKey}. A transaction that
 * stores something of contacts must call it first: until the commit, no other transaction can merge them.
 */
export async function upsertContacts(
  trx: Db,
  inputs: readonly ContactInput[],
): Promise<ReadonlyMap<string, KnownContact>> {
  const contacts = new Map<string, KnownContact>()
  const distinct = [...new Map(inputs.map((input) => [`${personKey(input)} ${input.containerId}`, input])).values()]
  if (distinct.length === 0) return contacts
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const found = await findKnown(trx, distinct)
    for (const contact of found) contacts.set(personKey(contact), contact)
    const missing = distinct.filter((input) => !contacts.has(personKey(input)))
    if (missing.length === 0) {
      const changed = new Set(found.filter((contact) => contact.changed).map(personKey))
      if (changed.size > 0) {
        await updateContacts(
          trx,
          distinct.filter((input) => changed.has(personKey(input))),
        )
      }
      return contacts
    }
    await insertContacts(trx, [...new Map(missing.map((input) => [personKey(input), input])).values()])
  }
  throw new Error('contacts were created and merged faster than they could be found')
}

/** Returns the key of a person: the organization and the address. */
export function personKey({ organizationId, address }: Pick<ContactInput, 'organizationId' | 'address'>): string {
  return `${organizationId} ${address}`
}
