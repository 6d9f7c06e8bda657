import { type Db, transaction } from '../db/db.ts'
import { writeAddressBook } from './address-book-store.ts'
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

const batchSize = 500

/**
 * Imports what a number knows of people: saved names, network names, and both ids where both are known. Returns how many
 * were linked, and the ids of all contacts.
 */
export async function importContacts(
  db: Db,
  number: { readonly organizationId: string; readonly containerId: string },
  people: readonly AddressBookEntry[],
): Promise<Linked & { readonly contactIds: ReadonlySet<string> }> {
  const linked = await linkPairs(db, number, people.flatMap(toPairs))
  const contactIds = new Set<string>()
  for (let from = 0; from < people.length; from += batchSize) {
    const some = people.slice(from, from + batchSize)
    await transaction(db, async (trx) => {
      const contacts = await upsertContacts(
        trx,
        some.map(({ address, name, saved }) => ({
          ...number,
          address,
          networkName: saved || name === '' ? null : name,
        })),
      )
      const entries = some.flatMap(({ address, name, saved }) => {
        const contactId = contacts.get(personKey({ ...number, address }))?.id
        return contactId === undefined ? [] : [{ contactId, savedName: saved ? name : null }]
      })
      await writeAddressBook(trx, number, entries)
      for (const { contactId } of entries) contactIds.add(contactId)
    })
  }
  return { ...linked, contactIds }
}

function toPairs({ address, lid }: AddressBookEntry): Pair[] {
  return lid === undefined || address === lid ? [] : [{ lid, digits: address }]
}
