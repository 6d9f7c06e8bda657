import { type Db, transaction } from '#platform/db/db.ts'
import { writeAddressBooks } from './address-book-store.ts'
import { type Linked, linkPairs } from './link.ts'
import type { Pair } from './link-store.ts'
import { personKey, upsertContacts } from './upsert-contacts.ts'

/** A person in the address book of a number, or known to its network. */
export interface AddressBookEntry {
  /** The digits, or the hidden id if the network shows only that. */
  readonly address: string
  /** The hidden id, if it is known in addition to the digits. */
  readonly lid?: string | undefined
  readonly name: string
  readonly saved: boolean
}

/** What one number knows of people. */
export interface AddressBook {
  readonly containerId: string
  readonly people: readonly AddressBookEntry[]
}

const batchSize = 500

/**
 * Imports what a number knows of people: saved names, network names, and both ids where both are known. Returns how
 * many were linked, and the ids of all contacts.
 */
export async function importContacts(
  db: Db,
  { organizationId, containerId }: { readonly organizationId: string; readonly containerId: string },
  people: readonly AddressBookEntry[],
): Promise<Linked & { readonly contactIds: ReadonlySet<string> }> {
  const linked = await linkPairs(db, { organizationId, containerId }, toPairs(people))
  const contactIds = await importAddressBooks(db, organizationId, [{ containerId, people }])
  return { ...linked, contactIds }
}

/**
 * Imports the address books of numbers of one organization, without linking the two ids of people. A person whom many
 * numbers know is written once for all of them. Returns the ids of all contacts.
 */
export async function importAddressBooks(
  db: Db,
  organizationId: string,
  books: readonly AddressBook[],
): Promise<ReadonlySet<string>> {
  const all = books.flatMap(({ containerId, people }) => people.map((person) => ({ containerId, ...person })))
  const contactIds = new Set<string>()
  for (let from = 0; from < all.length; from += batchSize) {
    const some = all.slice(from, from + batchSize)
    await transaction(db, async (trx) => {
      const contacts = await upsertContacts(
        trx,
        some.map(({ containerId, address, name, saved }) => ({
          organizationId,
          containerId,
          address,
          networkName: saved || name === '' ? null : name,
        })),
      )
      const entries = some.flatMap(({ containerId, address, name, saved }) => {
        const contactId = contacts.get(personKey({ organizationId, address }))?.id
        return contactId === undefined ? [] : [{ contactId, containerId, savedName: saved ? name : null }]
      })
      await writeAddressBooks(trx, organizationId, entries)
      for (const { contactId } of entries) contactIds.add(contactId)
    })
  }
  return contactIds
}

/** Returns the two ids of the people of whom the network shows both. */
export function toPairs(people: readonly AddressBookEntry[]): Pair[] {
  return people.flatMap(({ address, lid }) => (lid === undefined || address === lid ? [] : [{ lid, digits: address }]))
}
