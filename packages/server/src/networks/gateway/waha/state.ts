import type { SessionReason } from '@msgctl/contract'
import type { Json, LinkStep, SessionState } from '@msgctl/network/session'
import { parseChatId } from './address.ts'

/** The account of a session, as WAHA names it. */
interface Me {
  readonly id: string
  readonly pushName?: string | null | undefined
}

/** A session as WAHA describes it, in a webhook or in a response. */
export interface FoundSession {
  readonly status: string
  readonly me: Me | null
  /** The statuses before this one, the oldest first; empty where WAHA does not say. */
  readonly before: readonly string[]
  /** What WAHA says about a passkey. */
  readonly passkey?: Json | undefined
}

type Status = SessionState['status']

/**
 * WAHA's statuses in our words. An unknown one counts as STARTING: its session cannot be used now, and may come back.
 */
const statuses: Readonly<Record<string, Status>> = {
  STOPPED: 'STOPPED',
  STARTING: 'STARTING',
  SCAN_QR_CODE: 'SCAN_QR_CODE',
  PASSKEY_REQUIRED: 'SCAN_QR_CODE',
  PASSKEY_CONFIRMATION_REQUIRED: 'SCAN_QR_CODE',
  WORKING: 'WORKING',
  FAILED: 'FAILED',
}

/** Returns the status in our words. */
export function toStatus(status: string): Status {
  return statuses[status] ?? 'STARTING'
}

/**
 * Returns the state of a session in our words. `sequence` orders it among all states of the session; see
 * {@link sequenceOfResponse} and the envelope of a webhook.
 */
export function toSessionState(found: FoundSession, sequence: number): SessionState {
  const status = toStatus(found.status)
  const reason = toReason(found)
  const link = toLinkStep(found)
  return {
    status,
    me: status === 'SCAN_QR_CODE' ? null : toAccount(found.me),
    sequence,
    ...(reason === null ? {} : { reason }),
    ...(link === null ? {} : { link }),
  }
}

function toAccount(me: Me | null): SessionState['me'] {
  const address = me === null ? null : parseChatId(me.id)
  if (me === null || address?.kind !== 'phone') return null
  return { id: `${address.digits}@c.us`, digits: address.digits, pushName: me.pushName ?? '' }
}

/**
 * WAHA names no reasons; they follow from the status before. A session goes from WORKING to STARTING when the
 * connection is lost, from WORKING to FAILED when the phone ended the link, and from SCAN_QR_CODE to FAILED when no
 * phone scanned.
 */
function toReason({ status, before }: FoundSession): SessionReason | null {
  const last = before.at(-1)
  switch (status) {
    case 'STOPPED':
      return 'stopped'
    case 'STARTING':
      if (last === 'WORKING') return 'connection_lost'
      return last === 'SCAN_QR_CODE' || last?.startsWith('PASSKEY') ? 'linked' : 'started'
    case 'SCAN_QR_CODE':
      return before.includes('WORKING') ? 'logged_out' : null
    case 'PASSKEY_REQUIRED':
    case 'PASSKEY_CONFIRMATION_REQUIRED':
      return 'passkey_required'
    case 'FAILED':
      if (last === 'SCAN_QR_CODE' || last?.startsWith('PASSKEY')) return 'qr_expired'
      return last === undefined ? 'unknown' : 'logged_out'
    default:
      return null
  }
}

function toLinkStep({ status, passkey }: FoundSession): LinkStep | null {
  if (passkey === undefined || passkey === null) return null
  if (status === 'PASSKEY_REQUIRED') return { step: 'passkey', challenge: passkey }
  if (status !== 'PASSKEY_CONFIRMATION_REQUIRED' || typeof passkey !== 'object' || Array.isArray(passkey)) return null
  return typeof passkey.code === 'string' ? { step: 'confirm', code: passkey.code } : null
}

/**
 * When a response was made: its `Date` header, which is the clock of the host in whole seconds, and how long the call
 * took.
 */
export interface ResponseTime {
  readonly date: string | null
  readonly tookMs: number
}

/**
 * Returns the order of a state that was read: the earliest time at which the host can have read it, by the host's
 * clock. The host writes the `Date` header when it responds, after it read the state. A webhook that it sent in between
 * is newer, so the duration of the call is subtracted. Returns 0, which any other state replaces, for a response
 * without a date.
 */
export function sequenceOfResponse({ date, tookMs }: ResponseTime): number {
  const ms = date === null ? Number.NaN : Date.parse(date)
  return Number.isNaN(ms) ? 0 : ms - Math.ceil(tookMs)
}
