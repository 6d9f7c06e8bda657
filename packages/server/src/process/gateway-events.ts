import { limits as bounds } from '@msgctl/contract'
import type { GatewayEvent } from '@msgctl/network/gateway'
import { type Arrival, isPrivate, toArrival, toTypedArrival } from '#conversations/inbound/arrival.ts'
import { receiveChanges, receiveFiles } from '#conversations/inbound/change.ts'
import { receiveMessages, receivePeople } from '#conversations/inbound/receive.ts'
import { cleanId, cleanName, cleanReason } from '#networks/gateway/clean.ts'
import { applyStates } from '#numbers/connection/state.ts'
import { judgeAgain, writeNetworkQuota } from '#numbers/guard/limits-store.ts'
import { findHeldReplies, releaseHeld } from '#numbers/guard/reply-store.ts'
import { writeBlock } from '#numbers/records/store.ts'
import { crashPoint } from '#platform/crash-points.ts'
import { transaction } from '#platform/db/db.ts'
import { applyVotes } from '#sending/messages/receipts/poll-vote.ts'
import { applyReceipts } from '#sending/messages/receipts/receipt.ts'
import type { Services } from '#services.ts'

type EventOf<Kind extends GatewayEvent['kind']> = Extract<GatewayEvent, { kind: Kind }>

/**
 * Hands events of the network to the features they concern. It resolves when all of a batch is stored; the
 * driver acknowledges its source only then, so that a crash makes events come again and none is lost.
 */
export async function handleGatewayEvents(services: Services, events: readonly GatewayEvent[]): Promise<void> {
  await applyReceipts(services, events.filter(being('message.status')).map(receiptOf))
  await applyVotes(services, events.filter(being('poll.vote')).map(voteOf))
  const written = events.filter(being('message.in')).map(toArrival)
  await receiveMessages(services, [...written, ...events.filter(being('message.out')).map(toTypedArrival)])
  await receiveFiles(services, events.filter(being('message.file')))
  await releaseReplies(services, written)
  await receiveChanges(services, events.filter(isChange))
  await receivePeople(services, events.filter(isOfPeople))
  await applyStates(services, events.filter(being('session.state')).map(stateOf))
  for (const event of events.filter(being('account.limits'))) await applyLimits(services, event)
  crashPoint('network-events.stored')
}

/** Lets held messages to people who have just written leave now: they are replies, which no limit holds. */
async function releaseReplies({ db, wake }: Services, arrivals: readonly Arrival[]): Promise<void> {
  const writers = arrivals.filter(isPrivate)
  const held = writers.length > 0 ? await findHeldReplies(db, writers) : []
  if (held.length === 0) return
  await transaction(db, (trx) => releaseHeld(trx, held))
  wake.signal('lanes')
}

/** Stores what the network allows an account. What waits is judged again, because it may leave earlier or later now. */
async function applyLimits(
  { db, wake }: Services,
  { limits, at, ...number }: EventOf<'account.limits'>,
): Promise<void> {
  const { newChats, blockedUntil } = limits
  const { organizationId, containerId } = number
  await transaction(db, async (trx) => {
    if (newChats) await writeNetworkQuota(trx, { organizationId, containerId }, newChats, at)
    await writeBlock(trx, { organizationId, containerId }, blockedUntil)
    await judgeAgain(trx, { organizationId, containerId })
  })
  wake.signal('lanes')
}

function receiptOf({ containerId, networkId, status, at, error }: EventOf<'message.status'>) {
  const reason = error === undefined ? null : cleanReason(error)
  return { containerId, networkId: cleanId(networkId), status, at, error: reason }
}

function stateOf({ organizationId, containerId, state, at }: EventOf<'session.state'>) {
  return { organizationId, containerId, state, at, source: 'network' as const }
}

function voteOf({ from, ...vote }: EventOf<'poll.vote'>) {
  return {
    ...vote,
    pollNetworkId: cleanId(vote.pollNetworkId),
    voteNetworkId: cleanId(vote.voteNetworkId),
    voter: cleanId(from.kind === 'phone' ? from.digits : from.id),
    selectedOptions: vote.selectedOptions.slice(0, bounds.poll.maxOptions).map(cleanName),
  }
}

function being<Kind extends GatewayEvent['kind']>(kind: Kind) {
  return (event: GatewayEvent): event is EventOf<Kind> => event.kind === kind
}

const isEdited = being('message.edited')
const isRevoked = being('message.revoked')

function isChange(event: GatewayEvent): event is EventOf<'message.edited' | 'message.revoked'> {
  return isEdited(event) || isRevoked(event)
}

const kindsOfPeople = ['contacts.upsert', 'lid.mapping', 'history.progress'] as const

function isOfPeople(event: GatewayEvent): event is EventOf<(typeof kindsOfPeople)[number]> {
  return kindsOfPeople.some((kind) => kind === event.kind)
}
