import type { EventKind } from '@msgctl/contract'
import { usageFailure } from '../../errors/exit-codes.ts'

/** The contract's list of kinds carries their schemas, which no command needs; its type demands exactly these names. */
const kinds: Readonly<Record<EventKind, true>> = {
  'message.inbound': true,
  'message.sent': true,
  'message.delivered': true,
  'message.read': true,
  'message.failed': true,
  'poll.vote': true,
  'session.needs_scan': true,
  'session.disconnected': true,
  'session.recovered': true,
  'bot.needs_review': true,
  'bot.handoff': true,
  'commerce.order': true,
}

/** Every kind of event. */
export const eventKinds = Object.keys(kinds) as readonly EventKind[]

/** The kinds in a list with commas; `message.*` means every kind that begins so. Throws a usage failure for an unknown one. */
export function kindsFrom(list: string): EventKind[] {
  const found = list.split(',').flatMap((entry) => {
    const name = entry.trim()
    const matching = eventKinds.filter(
      (kind) => kind === name || (name.endsWith('.*') && kind.startsWith(name.slice(0, -1))),
    )
    if (matching.length === 0) throw usageFailure(`There is no event ${name}.`, `There are: ${eventKinds.join(', ')}.`)
    return matching
  })
  return [...new Set(found)]
}
