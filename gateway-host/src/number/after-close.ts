import type { SessionReason } from '@msgctl/contract'
import type { Closing } from '../engine/engine.ts'

/** What is known of a number when its connection ends. */
export interface BeforeClose {
  readonly isLinked: boolean
  /** Connections that failed since the last one that opened. */
  readonly failures: number
  /** When other connections replaced this one in the last minute, in milliseconds. */
  readonly replacedAtMs: readonly number[]
  readonly nowMs: number
}

/** What follows from the end of a connection. */
export type AfterClose =
  | { readonly is: 'connect'; readonly afterMs: number; readonly reason: SessionReason }
  /** The network refused the version: another one is tried. */
  | { readonly is: 'renew'; readonly reason: SessionReason }
  /** The phone ended the link: the number is linked again by a new QR. */
  | { readonly is: 'forget' }
  | { readonly is: 'fail'; readonly reason: SessionReason; readonly retry: Date | 'never' | null }

const backoffMs = [500, 1000, 2000, 5000, 10_000, 30_000] as const
const replacedWithinMs = 60_000
const mostReplaced = 3
const restrictedMs = 86_400_000

type Rule = (before: BeforeClose, closing: Closing) => AfterClose

const never = (reason: SessionReason): Rule => {
  return () => ({ is: 'fail', reason, retry: 'never' })
}

/** What the codes of the network mean. Every other code is a lost connection. */
const rules: Readonly<Record<number, Rule>> = {
  401: () => ({ is: 'forget' }),
  402: ({ nowMs }, { expiresAt }) => ({
    is: 'fail',
    reason: 'restricted',
    retry: expiresAt ?? new Date(nowMs + restrictedMs),
  }),
  403: never('locked'),
  405: () => ({ is: 'renew', reason: 'client_outdated' }),
  406: never('banned'),
  408: (before) => (before.isLinked ? lost(before) : { is: 'fail', reason: 'qr_expired', retry: null }),
  440: replaced,
  // The network ends the connection after a link, to be connected again with it.
  515: () => ({ is: 'connect', afterMs: 0, reason: 'linked' }),
}

/** Returns what to do after a connection has ended. */
export function afterClose(before: BeforeClose, closing: Closing): AfterClose {
  // Each further scan would be a risk for the account.
  if (closing.isPasskeyDemanded) return { is: 'fail', reason: 'passkey_required', retry: 'never' }
  if (closing.obstacle !== null) return lost(before, 'unreachable')
  const rule = closing.code === null ? undefined : rules[closing.code]
  return rule ? rule(before, closing) : lost(before)
}

function lost({ failures }: BeforeClose, reason: SessionReason = 'connection_lost'): AfterClose {
  const afterMs = backoffMs[failures]
  if (afterMs === undefined) return { is: 'fail', reason, retry: null }
  return { is: 'connect', afterMs, reason }
}

/** The same credentials are used somewhere else. Connecting again and again would make the network end the link. */
function replaced(before: BeforeClose): AfterClose {
  const lately = before.replacedAtMs.filter((atMs) => before.nowMs - atMs < replacedWithinMs)
  if (lately.length >= mostReplaced) return { is: 'fail', reason: 'replaced', retry: 'never' }
  return lost(before)
}
