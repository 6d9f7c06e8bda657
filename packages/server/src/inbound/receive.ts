import { v7 as newId } from 'uuid'
import { insertChatMessages, type NewChatMessage, touchChats } from '../chats/message-store.ts'
import { attachmentLabel } from '../chats/view.ts'
import { linkPairs } from '../contacts/link.ts'
import { applyOptOutKeywords } from '../contacts/opt-out.ts'
import { personKey, upsertContacts } from '../contacts/upsert-contacts.ts'
import { findDigits, type KnownContact } from '../contacts/upsert-store.ts'
import { crashPoint } from '../crash-points.ts'
import { type Db, transaction } from '../db/db.ts'
import { appendEvents } from '../events/append.ts'
import { locationLabel } from '../messages/label.ts'
import type { Services } from '../services.ts'
import type { Arrival } from './arrival.ts'
import { applyEarlyChanges } from './change.ts'
import { inboundEvent, isReported } from './inbound-event.ts'
import { findNumbers, findOwn, ofNumbersThere } from './receive-store.ts'

type Receiving = Pick<Services, 'db' | 'wake'>

/**
 * Stores what arrived, each message exactly once however often the network tells it, and tells message.inbound in the
 * same transaction. What arrives for a number that is gone is dropped, and so is the network's echo of our own sends.
 */
export async function receiveMessages(services: Receiving, arrivals: readonly Arrival[]): Promise<void> {
  if (arrivals.length === 0) return
  await linkKnownPairs(services.db, arrivals)
  const events = await transaction(services.db, async (trx) => {
    const stored = await store(trx, arrivals)
    crashPoint('inbound.before-commit')
    return stored
  })
  crashPoint('inbound.committed')
  // An edit may have come before its message; whoever commits second sees both.
  await applyEarlyChanges(services, arrivals)
  if (events > 0) for (const channel of ['events', 'deliveries'] as const) services.wake.signal(channel)
}

async function linkKnownPairs(db: Db, arrivals: readonly Arrival[]): Promise<void> {
  const paired = arrivals.filter((arrival) => arrival.lid !== null && isPrivate(arrival))
  for (const { lid, address, ...number } of await ofNumbersThere(db, paired)) {
    if (lid !== null) await linkPairs(db, number, [{ lid, digits: address }])
  }
}

/** Answers how many events were told. */
async function store(trx: Db, all: readonly Arrival[]): Promise<number> {
  const numbers = new Map((await findNumbers(trx, all)).map((number) => [number.containerId, number]))
  const own = new Set(
    (
      await findOwn(
        trx,
        all.filter(({ direction }) => direction === 'out'),
      )
    ).map(messageKey),
  )
  const different = new Map(all.map((arrival) => [messageKey(arrival), arrival]))
  const arrivals = [...different.values()].filter(
    (arrival) =>
      numbers.get(arrival.containerId)?.organizationId === arrival.organizationId &&
      arrival.networkId !== '' &&
      arrival.address !== '' &&
      !own.has(messageKey(arrival)),
  )
  const people = await upsertContacts(trx, arrivals.filter(isPrivate).map(toContactInput))
  const fresh = await insertFresh(trx, arrivals, people)
  const received = fresh.filter((arrival) => arrival.direction === 'in' && isPrivate(arrival))
  await applyOptOutKeywords(
    trx,
    received.flatMap((arrival) => {
      const contactId = people.get(personKey(arrival))?.id
      return contactId === undefined ? [] : [{ ...arrival, contactId }]
    }),
  )
  const reported = fresh.filter(isReported)
  const senders = await senderNames(trx, reported, people)
  await appendEvents(
    trx,
    reported.map((arrival) => inboundEvent(arrival, senders(arrival), numbers.get(arrival.containerId)?.phone ?? null)),
  )
  return reported.length
}

/** Stores what is not stored yet, brings the conversations up to date, and answers it in the order in which it arrived. */
async function insertFresh(
  trx: Db,
  arrivals: readonly Arrival[],
  people: ReadonlyMap<string, KnownContact>,
): Promise<Arrival[]> {
  const rows = arrivals.map((arrival) => toRow(arrival, people))
  const stored = new Set((await insertChatMessages(trx, rows)).map(messageKey))
  const touches = rows.flatMap(({ contactId, unread, ...row }) =>
    contactId !== null && stored.has(messageKey(row)) ? [{ ...row, contactId, unread: unread ? 1 : 0 }] : [],
  )
  await touchChats(trx, touches)
  return arrivals.filter((arrival) => stored.has(messageKey(arrival)))
}

function toRow(arrival: Arrival, people: ReadonlyMap<string, KnownContact>): NewChatMessage {
  const { organizationId, containerId, direction, networkId, at, type, text, filename, place } = arrival
  const contactId = isPrivate(arrival) ? (people.get(personKey(arrival))?.id ?? null) : null
  return {
    id: newId(),
    organizationId,
    containerId,
    contactId,
    direction,
    networkId,
    at,
    imported: false,
    type,
    text: type === 'location' && place !== null && text === '' ? locationLabel(place) : text,
    attachment: attachmentLabel(type, filename ?? undefined),
    unread: direction === 'in' && contactId !== null,
  }
}

/** Under what name each sender is told: digits where they are known, for people in groups too. */
async function senderNames(trx: Db, reported: readonly Arrival[], people: ReadonlyMap<string, KnownContact>) {
  const hidden = reported.filter((arrival) => !isPrivate(arrival) && arrival.address.endsWith('@lid'))
  const known = await findDigits(
    trx,
    hidden.map(({ organizationId, address }) => ({ organizationId, lid: address })),
  )
  const digits = new Map(
    known.map(({ organizationId, lid, phone }) => [personKey({ organizationId, address: lid }), phone]),
  )
  return (arrival: Arrival): string =>
    people.get(personKey(arrival))?.phone ?? digits.get(personKey(arrival)) ?? arrival.address
}

/** Whether it belongs to the conversation with one person. */
function isPrivate({ groupId }: Arrival): boolean {
  return groupId === null
}

function toContactInput({ organizationId, containerId, address, senderName }: Arrival) {
  return { organizationId, containerId, address, networkName: senderName === '' ? null : senderName }
}

function messageKey({ containerId, networkId }: { containerId: string; networkId: string }): string {
  return `${containerId} ${networkId}`
}
