import { type Db, transaction } from '../db/db.ts'
import { writeAddressBook } from './address-book-store.ts'
import { type Linked, linkPairs } from './link.ts'
import type { Pair } from './link-store.ts'
import { personKey, upsertContacts } from './upsert-contacts.ts'

/** One person as the address book of a number, or the network beside it, knows them. */
export interface AddressBookEntry {
  /** Digits, or a hidden id when that is all the network shows. */
  readonly address: string
  /** The hidden id, when it is known beside the digits. */
  readonly lid?: string | undefined
  readonly name: string
  readonly saved: boolean
}

const batchSize = 500

/**
 * Takes over what a number knows of people: saved names, names they show, and both ids of those of whom both are known.
 * Answers how many were brought together and the contacts of all, in no order.
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
