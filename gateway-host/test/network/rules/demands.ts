import { createHmac } from 'node:crypto'
import type { BinaryNode } from 'baileys'
import { attribute, bytesOf, child, children } from '../frames/nodes.ts'
import type { Network } from '../network.ts'
import { type Account, lidJid } from '../people/accounts.ts'

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
  if (rules.breaks('people-by-hidden-id', !hasNumber)) return badRequest
  return rules.breaks('new-contact-token', !hasToken(stanza, from, account)) ? refusedContact : null
}

/** Whether a message carries what the network gave the account for this person, if it gave the account anything. */
function hasToken(stanza: BinaryNode, { salt }: Account, account: Account): boolean {
  if (salt === null || child(stanza, 'tctoken')) return true
  return bytesOf(child(stanza, 'cstoken')).equals(createHmac('sha256', salt).update(lidJid(account)).digest())
}

/** Whether a sign for a person, such as typing, is addressed as no message would be: the network drops it. */
export function isMisaddressed({ rules }: Network, from: Account, to: string): boolean {
  return rules.breaks('signs-by-hidden-id', to.endsWith('@lid') !== from.isMigrated)
}
