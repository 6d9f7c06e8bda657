import { limits as bounds } from '@msgctl/contract'
import type { GatewayEvent } from '@msgctl/network/gateway'
import { isPrivate, toArrival, toTypedArrival } from '#conversations/inbound/arrival.ts'
import { receiveChanges, receiveFiles } from '#conversations/inbound/change.ts'
import { receiveMessages, receivePeople } from '#conversations/inbound/receive.ts'
import { cleanId, cleanName, cleanReason } from '#networks/gateway/clean.ts'
import { applyStates } from '#numbers/connection/state.ts'
import { applyLimits, releaseReplies } from '#numbers/guard/network-reports.ts'
import { crashPoint } from '#platform/crash-points.ts'
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
  await releaseReplies(services, written.filter(isPrivate))
  await receiveChanges(services, events.filter(isChange))
  await receivePeople(services, events.filter(isOfPeople))
  await applyStates(services, events.filter(being('session.state')).map(stateOf))
  for (const event of events.filter(being('account.limits'))) await applyLimits(services, event)
  crashPoint('network-events.stored')
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
