import { type BinaryNode, getBinaryNodeChild } from 'baileys'
import type { Vault } from '../../vault/vault.ts'
import type { Translator } from '../engine.ts'

/**
 * Stages the events of a message that comes without its content, before the library acknowledges it. The library asks
 * the phone for the content; the phone may be off, and for some messages it is not asked at all.
 */
export function stageWithheld(
  vault: Pick<Vault, 'isFenced' | 'stageEvent'>,
  translator: Translator,
  stanza: BinaryNode,
): void {
  if (vault.isFenced || !isWithheld(stanza)) return
  for (const event of translator.withheld(stanza.attrs)) vault.stageEvent(event)
}

function isWithheld(stanza: BinaryNode): boolean {
  return !['enc', 'plaintext'].some((tag) => getBinaryNodeChild(stanza, tag) !== undefined)
}
