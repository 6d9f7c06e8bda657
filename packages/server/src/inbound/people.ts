import { importContacts } from '../contacts/import-address-book.ts'
import { writePhoneProgress } from '../contacts/import-store.ts'
import { linkPairs } from '../contacts/link.ts'
import { toAddressBookEntries } from '../contacts/sync.ts'
import { cleanId } from '../gateway/clean.ts'
import type { GatewayEvent } from '../gateway/gateway.ts'
import type { Services } from '../services.ts'
import { filterNumbersPresent } from './receive-store.ts'

type ReportedPeople = Extract<GatewayEvent, { kind: 'contacts.upsert' | 'lid.mapping' | 'history.progress' }>

/** Stores what the phone of a number reports of contacts and of its history. Reports for removed numbers are dropped. */
export async function receivePeople({ db }: Pick<Services, 'db'>, events: readonly ReportedPeople[]): Promise<void> {
  for (const event of await filterNumbersPresent(db, events)) await importBatch(db, event)
}

async function importBatch(db: Services['db'], event: ReportedPeople): Promise<void> {
  const number = { organizationId: event.organizationId, containerId: event.containerId }
  switch (event.kind) {
    case 'contacts.upsert':
      await importContacts(db, number, event.contacts.flatMap(toAddressBookEntries))
      return
    case 'lid.mapping':
      await linkPairs(db, number, [{ lid: cleanId(event.lid), digits: cleanId(event.digits) }])
      return
    case 'history.progress':
      await writePhoneProgress(db, number, event)
  }
}
