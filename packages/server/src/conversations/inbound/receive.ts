import type { GatewayEvent } from '@msgctl/network/gateway'
import { importAddressBooks, toPairs } from '#conversations/contacts/import-address-book.ts'
import { writePhoneProgress } from '#conversations/contacts/import-store.ts'
import { linkPairs } from '#conversations/contacts/link.ts'
import type { Pair } from '#conversations/contacts/link-store.ts'
import { applyOptOutKeywords } from '#conversations/contacts/opt-out.ts'
import { toAddressBookEntries } from '#conversations/contacts/sync.ts'
import { personKey, upsertContacts } from '#conversations/contacts/upsert-contacts.ts'
import { findDigits, type KnownContact } from '#conversations/contacts/upsert-store.ts'
import { appendEvents } from '#events/append.ts'
import { cleanId } from '#networks/gateway/clean.ts'
import { groupBy, toRounds } from '#platform/concurrency/rounds.ts'
import { crashPoint } from '#platform/crash-points.ts'
import { type Db, transaction } from '#platform/db/db.ts'
import type { Services } from '#services.ts'
import { type Arrival, isPrivate, messageKey } from './arrival.ts'
import { involveAssistants, type KnownArrival } from './assistants.ts'
import { applyPendingChanges } from './change.ts'
import { inboundEvent, isReported } from './inbound-event.ts'
import { filterNumbersPresent, findNumbers, findOwn, type ReceivingNumber } from './receive-store.ts'
import { insertNewMessages, type StoredArrival } from './store-messages.ts'

type Contacts = ReadonlyMap<string, KnownContact>
type Numbers = ReadonlyMap<string, ReceivingNumber>

/**
 * Stores what arrived, each message once however often the network reports it, and appends message.inbound in the same
 * transaction. Messages for a number that was removed and echoes of the service's own sends are dropped.
 */
export async function receiveMessages(
  services: Pick<Services, 'db' | 'metrics'>,
  arrivals: readonly Arrival[],
): Promise<void> {
  if (arrivals.length === 0) return
  await linkReportedPairs(services.db, arrivals)
  const fresh = await transaction(services.db, async (trx) => {
    const stored = await storeArrivals(trx, arrivals)
    crashPoint('inbound.before-commit')
    return stored
  })
  crashPoint('inbound.committed')
  for (const { direction, type } of fresh) if (direction === 'in') services.metrics.messageReceived(type)
  // An edit can arrive before its message. Whichever transaction commits second sees both.
  await applyPendingChanges(services, arrivals)
}

async function linkReportedPairs(db: Db, arrivals: readonly Arrival[]): Promise<void> {
  const paired = arrivals.filter((arrival) => arrival.lid !== null && isPrivate(arrival))
  for (const { lid, address, ...number } of await filterNumbersPresent(db, paired)) {
    if (lid !== null) await linkPairs(db, number, [{ lid, digits: address }])
  }
}

/** Stores arrivals with their contacts, chats, opt-outs and events. Returns the new ones. */
async function storeArrivals(trx: Db, all: readonly Arrival[]): Promise<readonly StoredArrival[]> {
  const numbers: Numbers = new Map((await findNumbers(trx, all)).map((number) => [number.containerId, number]))
  const arrivals = await selectAcceptable(trx, all, numbers)
  const contacts = await upsertContacts(trx, arrivals.filter(isPrivate).map(toContactInput))
  const fresh = await insertNewMessages(trx, arrivals, contacts)
  const known = withContacts(fresh, contacts)
  const keywords = await applyOptOutKeywords(
    trx,
    known.filter(({ direction }) => direction === 'in'),
  )
  await involveAssistants(trx, known, numbers, keywords)
  await appendInboundEvents(trx, fresh.filter(isReported), numbers, contacts)
  return fresh
}

/** Returns each message once, without those of unknown numbers, malformed ones, and the service's own sends. */
async function selectAcceptable(trx: Db, all: readonly Arrival[], numbers: Numbers): Promise<Arrival[]> {
  const outgoing = all.filter(({ direction }) => direction === 'out')
  const own = new Set((await findOwn(trx, outgoing)).map(messageKey))
  const distinct = new Map(all.map((arrival) => [messageKey(arrival), arrival]))
  return [...distinct.values()].filter(
    (arrival) =>
      numbers.get(arrival.containerId)?.organizationId === arrival.organizationId &&
      arrival.networkId !== '' &&
      arrival.address !== '' &&
      !own.has(messageKey(arrival)),
  )
}

/** Returns the messages of chats with one person, with the contact. */
function withContacts(fresh: readonly StoredArrival[], contacts: Contacts): KnownArrival[] {
  return fresh
    .filter((arrival) => isPrivate(arrival))
    .flatMap((arrival) => {
      const contactId = contacts.get(personKey(arrival))?.id
      return contactId === undefined ? [] : [{ ...arrival, contactId }]
    })
}

async function appendInboundEvents(
  trx: Db,
  reported: readonly StoredArrival[],
  numbers: Numbers,
  contacts: Contacts,
): Promise<void> {
  const senders = await findSenderNames(trx, reported, contacts)
  const events = reported.map((arrival) => {
    const sender = senders.get(personKey(arrival)) ?? arrival.address
    return inboundEvent(arrival, sender, numbers.get(arrival.containerId)?.phone ?? null)
  })
  await appendEvents(trx, events)
}

/** Returns the digits of each sender that has any, by {@link personKey}. Senders in groups are included. */
async function findSenderNames(
  trx: Db,
  reported: readonly Arrival[],
  contacts: Contacts,
): Promise<ReadonlyMap<string, string>> {
  const hidden = reported.filter((arrival) => !isPrivate(arrival) && arrival.address.endsWith('@lid'))
  const inGroups = await findDigits(
    trx,
    hidden.map(({ organizationId, address }) => ({ organizationId, lid: address })),
  )
  return new Map([
    ...inGroups.map(({ organizationId, lid, phone }) => [personKey({ organizationId, address: lid }), phone] as const),
    ...[...contacts].flatMap(([key, { phone }]) => (phone === null ? [] : [[key, phone] as const])),
  ])
}

function toContactInput({ organizationId, containerId, address, senderName }: Arrival) {
  return { organizationId, containerId, address, networkName: senderName === '' ? null : senderName }
}

type ReportedPeople = Extract<GatewayEvent, { kind: 'contacts.upsert' | 'lid.mapping' | 'history.progress' }>
type ReportedBook = Extract<GatewayEvent, { kind: 'contacts.upsert' }>

/**
 * Stores what the phones of numbers report of contacts and of their history: first both ids of people, in the order of
 * the reports, then the address books of each organization at once. Reports for removed numbers are dropped.
 */
export async function receivePeople({ db }: Pick<Services, 'db'>, events: readonly ReportedPeople[]): Promise<void> {
  if (events.length === 0) return
  const present = await filterNumbersPresent(db, events)
  for (const { organizationId, containerId, pairs } of pairsInOrder(present)) {
    await linkPairs(db, { organizationId, containerId }, pairs)
  }
  const books = present.filter((event) => event.kind === 'contacts.upsert')
  for (const [organizationId, reported] of groupBy(books, ({ organizationId }) => organizationId)) {
    // A number that reports a person twice has the name of its later report.
    for (const round of toRounds(reported, ({ containerId }) => containerId)) {
      await importAddressBooks(db, organizationId, round.map(toAddressBook))
    }
  }
  const progress = present.filter((event) => event.kind === 'history.progress')
  for (const round of toRounds(progress, ({ containerId }) => containerId)) await writePhoneProgress(db, round)
}

/** What one number reported of both ids of people, in one or more reports after each other. */
interface ReportedPairs {
  readonly organizationId: string
  readonly containerId: string
  readonly pairs: Pair[]
}

/** Returns the pairs of reports; those after each other of one number are together, as a history brings thousands. */
function pairsInOrder(events: readonly ReportedPeople[]): ReportedPairs[] {
  const all: ReportedPairs[] = []
  for (const event of events) {
    const pairs = reportedPairs(event)
    const last = all.at(-1)
    // Of one id in two pairs, the later pair counts.
    if (last?.containerId === event.containerId && !pairs.some((pair) => last.pairs.some(sharesId(pair)))) {
      last.pairs.push(...pairs)
    } else all.push({ organizationId: event.organizationId, containerId: event.containerId, pairs })
  }
  return all
}

function sharesId({ lid, digits }: Pair) {
  return (other: Pair) => other.lid === lid || other.digits === digits
}

function toAddressBook({ containerId, contacts }: ReportedBook) {
  return { containerId, people: contacts.flatMap(toAddressBookEntries) }
}

function reportedPairs(event: ReportedPeople) {
  switch (event.kind) {
    case 'contacts.upsert':
      return toPairs(event.contacts.flatMap(toAddressBookEntries))
    case 'lid.mapping':
      return [{ lid: cleanId(event.lid), digits: cleanId(event.digits) }]
    case 'history.progress':
      return []
  }
}
