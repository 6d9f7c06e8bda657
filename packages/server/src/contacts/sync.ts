import type { Contract } from '@msgctl/contract'
import { type Db, transaction } from '../db/db.ts'
import { networkFailure } from '../gateway/api-failure.ts'
import { cleanId, cleanName } from '../gateway/clean.ts'
import { GatewayError } from '../gateway/errors.ts'
import type { GatewayContact, GatewaySession } from '../gateway/gateway.ts'
import { withGatewayTimeout } from '../gateway/timeout.ts'
import type { Request } from '../http/handler.ts'
import { selectSender } from '../numbers/send-group/select-number.ts'
import type { Services } from '../services.ts'
import { listSavedIn, writeAddressBook } from './address-book-store.ts'
import { type AddressBookEntry, importContacts } from './import-address-book.ts'
import { wantImport } from './import-store.ts'
import { linkPairs } from './link.ts'

/** For each of two calls: together they are shorter than the 30 s for which callers usually wait. */
const timeoutMs = 12_000

/**
 * Reads the address book of a connected number anew, brings hidden ids and numbers together, and has its recent chats
 * read in the background. Throws NO_SESSION_CONFIGURED when the number is not connected, and what the network refuses.
 */
export async function syncContacts({ caller, body }: Request<Contract['contacts']['sync']>, services: Services) {
  const { db, gateway, wake } = services
  const { organizationId } = caller
  const { containerId } = await selectSender(db, caller, body.containerId)
  const session = { organizationId, containerId }
  const book = await fetchFromGateway(gateway.contacts(session))
  const people = book.flatMap(toAddressBookEntries)
  const imported = await importContacts(db, session, people)
  await clearUnsaved(db, session, imported.contactIds)
  const pairs = (await fetchFromGateway(gateway.lids(session))).map(({ lid, digits }) => ({
    lid: cleanId(lid),
    digits: cleanId(digits),
  }))
  const linked = await linkPairs(db, session, pairs)
  await wantImport(db, session)
  wake.signal('imports')
  return {
    contacts: people.length,
    saved: people.filter(({ saved }) => saved).length,
    lidsLinked: imported.people + linked.people,
    messagesLinked: imported.messages + linked.messages,
    importing: true,
  }
}

/** A contact of the network as a person; one without a usable id is none. */
export function toAddressBookEntries({
  address,
  lid,
  name,
  saved,
}: Omit<GatewayContact, 'lid'> & { lid?: string }): AddressBookEntry[] {
  const id = cleanId(address.kind === 'phone' ? address.digits : address.id)
  if (id === '') return []
  return [{ address: id, ...(lid === undefined ? {} : { lid: cleanId(lid) }), name: cleanName(name), saved }]
}

/** People who stood in this number's address book and do not any more. */
async function clearUnsaved(db: Db, session: GatewaySession, there: ReadonlySet<string>): Promise<void> {
  const gone = (await listSavedIn(db, session.organizationId, session.containerId)).filter(({ id }) => !there.has(id))
  if (gone.length === 0) return
  await transaction(db, (trx) =>
    writeAddressBook(
      trx,
      session,
      gone.map(({ id }) => ({ contactId: id, savedName: null })),
    ),
  )
}

async function fetchFromGateway<T>(call: Promise<T>): Promise<T> {
  try {
    return await withGatewayTimeout(timeoutMs, call)
  } catch (error) {
    throw error instanceof GatewayError ? networkFailure(error) : error
  }
}
