import type { OfferedMessage } from '#conversations/bots/inbox/inbox-store.ts'
import { leaveToPeople, offerToAssistants } from '#conversations/bots/inbox/offer.ts'
import { insertVoiceNotes } from '#conversations/bots/inbox/voice-note-store.ts'
import type { Db } from '#platform/db/db.ts'
import { locationLabel } from '#sending/messages/label.ts'
import type { Arrival } from './arrival.ts'
import type { ReceivingNumber } from './receive-store.ts'
import type { StoredArrival } from './store-messages.ts'

/** A message of a chat with one person. */
export type KnownArrival = StoredArrival & { readonly contactId: string }

/** The kinds of messages that an assistant answers. Voice notes follow when they have a transcript. */
const answered: readonly Arrival['type'][] = ['chat', 'buttons', 'list', 'location']

/**
 * Passes new messages to the assistants of their numbers, in the transaction that stores the messages. A keyword for
 * campaigns gets no reply. What the organization wrote on the phone silences the assistant in that chat. Where no
 * number has an active assistant, this costs nothing.
 */
export async function involveAssistants(
  trx: Db,
  arrivals: readonly KnownArrival[],
  numbers: ReadonlyMap<string, ReceivingNumber>,
  keywords: ReadonlySet<KnownArrival>,
): Promise<void> {
  const involved = arrivals.flatMap((arrival) => {
    const botId = numbers.get(arrival.containerId)?.botId ?? null
    return botId === null ? [] : [{ arrival, botId }]
  })
  if (involved.length === 0) return
  const typed = involved.filter(({ arrival }) => arrival.direction === 'out')
  await leaveToPeople(
    trx,
    typed.map(({ arrival, botId }) => toOffer(arrival, botId)),
  )
  const received = involved.filter(({ arrival }) => arrival.direction === 'in' && !keywords.has(arrival))
  await offerToAssistants(
    trx,
    received.map(({ arrival, botId }) => toOffer(arrival, botId)).filter(({ text }) => text.trim() !== ''),
  )
  await insertVoiceNotes(
    trx,
    received.map(({ arrival }) => arrival).filter(({ type }) => type === 'voice'),
  )
}

function toOffer(arrival: KnownArrival, botId: string): OfferedMessage {
  const { organizationId, containerId, contactId, at } = arrival
  const isPlace = arrival.type === 'location'
  return { organizationId, containerId, contactId, botId, at, isPlace, text: textOf(arrival) }
}

function textOf({ type, text, place }: Arrival): string {
  if (!answered.includes(type)) return ''
  return type === 'location' && place !== null && text === '' ? locationLabel(place) : text
}
