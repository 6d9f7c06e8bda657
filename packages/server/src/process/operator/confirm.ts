import { Refusal } from '#people/organizations/refusal.ts'
import { sanitize } from './print.ts'
import type { Terminal } from './terminal.ts'

/** What a person confirms. */
export interface Confirmation {
  /** What will happen, as a sentence. */
  readonly effect: string
  /** The name of the organization, which the person types. */
  readonly name: string
  /** Whether the command was given --yes, so that nothing is asked. */
  readonly yes: boolean | undefined
}

/**
 * Asks for the name of the organization before something that is hard to take back. Throws {@link Refusal} when another
 * name is typed, and without a terminal to ask on.
 */
export async function confirmByName(terminal: Terminal, { effect, name, yes }: Confirmation): Promise<void> {
  if (yes) return
  const typed = await terminal.ask(`${effect}\nType the name of the organization, ${sanitize(name)}, to confirm: `)
  if (typed === null) throw new Refusal(`${effect} There is no terminal to ask on: add --yes to confirm.`, 2)
  if (typed.trim() !== name.trim()) throw new Refusal('Nothing was changed: another name was typed.')
}
