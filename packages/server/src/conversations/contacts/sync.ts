import type { Contract } from '@msgctl/contract'
import { GatewayError } from '@msgctl/network/errors'
import type { GatewayContact, GatewaySession } from '@msgctl/network/gateway'
import type { Request } from '#api/http/handler.ts'
import { networkFailure } from '#networks/gateway/api-failure.ts'
import { cleanId, cleanName } from '#networks/gateway/clean.ts'
import { withGatewayTimeout } from '#networks/gateway/timeout.ts'
import { selectSender } from '#numbers/send-group/select-number.ts'
import { type Db, transaction } from '#platform/db/db.ts'
import type { Services } from '#services.ts'
import { listSavedIn, writeAddressBooks } from './address-book-store.ts'
import { type AddressBookEntry, importContacts } from './import-address-book.ts'
import { requestImport } from './import-store.ts'
import { linkPairs } from './link.ts'

/** For each of two calls: together they are shorter than the 30 s that callers usually wait. */
const timeoutMs = 12_000

/**
 * Reads the address book of a connected number again, links hidden ids with phone numbers, and requests an import of
 * its recent chats. Throws NO_SESSION_CONFIGURED if the number is not connected, and the errors of the network.
 */
export async function syncContacts({ caller, body }: Request<Contract['contacts']['sync']>, services: Services) {
  const { db, gateway } = services
  const { organizationId } = caller
  const { containerId } = await selectSender(db, caller, body.containerId)
  const session = { organizationId, containerId }
  const addressBook = await fetchFromGateway(gateway.contacts(session))
  const people = addressBook.flatMap(toAddressBookEntries)
  const imported = await importContacts(db, session, people)
  await clearUnsaved(db, session, imported.contactIds)
  const pairs = (await fetchFromGateway(gateway.lids(session))).map(({ lid, digits }) => ({
    lid: cleanId(lid),
    digits: cleanId(digits),
  }))
  const linked = await linkPairs(db, session, pairs)
  await requestImport(db, session)
  return {
    contacts: people.length,
    saved: people.filter(({ saved }) => saved).length,
    lidsLinked: imported.people + linked.people,
    messagesLinked: imported.messages + linked.messages,
    importing: true,
  }
}

/** Converts a contact of the network. Returns nothing for one without a usable id. */
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

/** Clears the saved names of contacts that are no longer in the address book. */
async function clearUnsaved(db: Db, session: GatewaySession, present: ReadonlySet<string>): Promise<void> {
  const removed = (await listSavedIn(db, session.organizationId, session.containerId)).filter(
    ({ id }) => !present.has(id),
  )
  if (removed.length === 0) return
  const { organizationId, containerId } = session
  const entries = removed.map(({ id }) => ({ contactId: id, containerId, savedName: null }))
  await transaction(db, (trx) => writeAddressBooks(trx, organizationId, entries))
}

async function fetchFromGateway<T>(call: Promise<T>): Promise<T> {
  try {
    return await withGatewayTimeout(timeoutMs, call)
  } catch (error) {
    throw error instanceof GatewayError ? networkFailure(error) : error
  }
}
