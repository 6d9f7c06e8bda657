import type { BinaryNode } from 'baileys'
import { child, children } from '../frames/nodes.ts'
import type { Network } from '../network.ts'

/** The code with which the network refuses a stanza of a wrong form. */
const malformed = '400'

/** Returns the code with which the network refuses a message for its form, by its rules; null for a right one. */
export function refusalOfForm({ rules }: Network, stanza: BinaryNode): string | null {
  const participants = child(stanza, 'participants')
  // A message that a device requested again is sent without its form.
  if (!participants) return null
  const isPoll = stanza.attrs.type === 'poll'
  if (isPoll && rules.breaks('poll-meta', !child(stanza, 'meta')?.attrs.polltype)) return malformed
  const encrypted = children(participants, 'to').flatMap((to) => children(to, 'enc'))
  const isShown = encrypted.some(({ attrs }) => attrs['decrypt-fail'] !== 'hide')
  return stanza.attrs.edit !== undefined && rules.breaks('change-hidden', isShown) ? malformed : null
}
