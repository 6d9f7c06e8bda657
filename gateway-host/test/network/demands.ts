import type { BinaryNode } from 'baileys'
import type { Account } from './accounts.ts'
import type { Network } from './network.ts'
import { attribute, child, children } from './nodes.ts'

/** The codes of a message that the network does not understand, and of one that begins a conversation it refuses. */
const [badRequest, refusedContact] = ['400', '463'] as const

/** Returns the code with which the network refuses a message that breaks one of its rules; null for any other. */
export function refusedByRules(
  network: Network,
  stanza: BinaryNode,
  { from, account }: { readonly from: Account; readonly account: Account },
): string | null {
  const { rules } = network
  const to = attribute(stanza, 'to')
  const isHidden = to.endsWith('@lid')
  const named = children(child(stanza, 'participants'), 'to').map((copy) => attribute(copy, 'jid'))
  const isMixed = named.some((jid) => jid.endsWith('@lid') !== isHidden)
  if (rules.breaks('one-namespace', isMixed)) return badRequest
  // What is for the own phone, and what a device asked for again, go where they came from.
  if (account === from || stanza.attrs.device_fanout === 'false') return null
  if (rules.breaks('people-by-hidden-id', isHidden !== from.isMigrated)) return refusedContact
  const hasNumber = stanza.attrs.peer_recipient_pn !== undefined || !from.paired.has(account) || !isHidden
  return rules.breaks('people-by-hidden-id', !hasNumber) ? badRequest : null
}
