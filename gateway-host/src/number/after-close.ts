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
  | {
      readonly is: 'fail'
      readonly reason: SessionReason
      readonly retry: Date | 'never' | null
      /** What the network gave as a code, where it says more than the reason. */
      readonly code?: number | null
      /** Whether the link is over, too: a person links the number again. */
      readonly endsLink?: boolean
    }

const backoffMs = [500, 1000, 2000, 5000, 10_000, 30_000] as const
const replacedWithinMs = 60_000
const mostReplaced = 3
/** Logins in a row that the network may refuse with a code of no known meaning. */
const mostRefused = 3
const restrictedMs = 86_400_000

type Rule = (before: BeforeClose, closing: Closing) => AfterClose

const never = (reason: SessionReason): Rule => {
  return () => ({ is: 'fail', reason, retry: 'never' })
}

/** What the codes of the network mean. */
const rules: Readonly<Record<number, Rule>> = {
  401: () => ({ is: 'forget' }),
  402: ({ nowMs }, { expiresAt, cause }) => ({
    is: 'fail',
    reason: 'restricted',
    retry: expiresAt ?? new Date(nowMs + restrictedMs),
    code: cause,
  }),
  // The account was logged out of its phone, moved to a new phone, or was banned.
  403: () => ({ is: 'fail', reason: 'link_refused', retry: 'never', endsLink: true }),
  405: () => ({ is: 'renew', reason: 'client_outdated' }),
  406: never('banned'),
  408: (before) => (before.isLinked ? lost(before) : { is: 'fail', reason: 'qr_expired', retry: null }),
  // The network ends a connection for a reason of its own; also known from phones.
  411: lost,
  428: lost,
  440: replaced,
  // The network ends the connection after a link, to be connected again with it.
  515: () => ({ is: 'connect', afterMs: 0, reason: 'linked' }),
  516: () => ({ is: 'forget' }),
}

/** Returns what to do after a connection has ended. */
export function afterClose(before: BeforeClose, closing: Closing): AfterClose {
  // Each further scan would be a risk for the account.
  if (closing.isPasskeyDemanded) return { is: 'fail', reason: 'passkey_required', retry: 'never' }
  if (closing.obstacle !== null) return again(before.failures, 'unreachable')
  const { code } = closing
  if (code === null) return lost(before)
  const rule = rules[code] ?? (code >= 400 && code < 500 ? refused : lost)
  return rule(before, closing)
}

/** Codes that stand for a fault of this client, such as 400, 409 or 418: repeating the login does not help. */
function refused(before: BeforeClose, { code }: Closing): AfterClose {
  if (before.failures < mostRefused) return lost(before)
  return { is: 'fail', reason: 'unknown', retry: 'never', code }
}

function lost({ failures }: BeforeClose): AfterClose {
  return again(failures, 'connection_lost')
}

function again(failures: number, reason: SessionReason): AfterClose {
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
