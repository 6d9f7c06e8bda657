import type { EventKind } from '@msgctl/contract'
import { usageFailure } from '../../errors/exit-codes.ts'

/** A copy of the contract's list without its schemas; the type requires exactly these names. */
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
  'number.warning': true,
  'bot.needs_review': true,
  'bot.handoff': true,
  'commerce.order': true,
  'campaign.completed': true,
  'campaign.failed': true,
}

/** Every kind of event. */
export const eventKinds = Object.keys(kinds) as readonly EventKind[]

/**
 * Parses kinds separated by commas; `message.*` selects all kinds of a group. Throws a usage error for an unknown kind.
 */
export function kindsFrom(list: string): EventKind[] {
  const found = list.split(',').flatMap((entry) => {
    const name = entry.trim()
    const matching = eventKinds.filter(
      (kind) => kind === name || (name.endsWith('.*') && kind.startsWith(name.slice(0, -1))),
    )
    if (matching.length === 0) throw usageFailure(`Unknown event ${name}.`, `Events: ${eventKinds.join(', ')}.`)
    return matching
  })
  return [...new Set(found)]
}
