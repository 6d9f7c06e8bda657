import {
  type ConnectionState,
  type NumberReason,
  type NumberRecord,
  type NumberStatus,
  numberReasonSentences,
} from '@msgctl/contract'
import type { GatewaySession } from '@msgctl/network/gateway'
import { reasonSentence, restrictionSentence } from './reason-sentence.ts'
import type { NumberRow } from './store.ts'

/** Reconnections tried quickly before they become rare. */
export const maxRetries = 5
const mostFailedLinks = 2

/** Returns a number as GET /session/list shows it (specification, "Number"). */
export function numberView(row: NumberRow): NumberRecord {
  return {
    id: row.id,
    instanceName: row.instanceName,
    label: row.label,
    phoneNumber: row.phoneNumber,
    status: row.status,
    isDefault: row.isDefault,
    connected: row.status === 'WORKING',
    queueHeld: row.queueHeldAt !== null,
    me: toLinkedAccount(row),
    hasApiKey: row.apiKeyPreview !== null,
    apiKeyPreview: row.apiKeyPreview,
    apiKeyLastUsedAt: row.apiKeyLastUsedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  }
}

/** What people read instead of a third QR: linking again and again can get an account restricted. */
const stopLinking =
  'Stop, and read this: the last two links of this number failed, and linking again and again can get an account ' +
  'restricted. Check on the phone that the app is up to date and that fewer than four devices are linked. Have the ' +
  'operator run msgctl-server check. Then link it once more, or tomorrow.'

/**
 * Returns the connection state record of GET /session/status, without the limits of the guard rules. `failedLinks`: how
 * many links of the number failed within 24 hours and since it last worked.
 */
export function connectionView(
  row: NumberRow,
  {
    now,
    production,
    failedLinks = 0,
  }: { readonly now: Date; readonly production: boolean; readonly failedLinks?: number },
): Omit<ConnectionState, 'guard'> {
  const isDiscouraged = failedLinks >= mostFailedLinks && row.status !== 'WORKING' && row.gateway !== 'simulator'
  const linkWarning = isDiscouraged ? stopLinking : null
  const uptimeMs = row.connectedSince ? Math.max(0, now.getTime() - row.connectedSince.getTime()) : 0
  const restriction = row.restrictedUntil && row.restrictedUntil > now ? restrictionSentence(row.restrictedUntil) : null
  return {
    session: row.instanceName,
    containerId: row.id,
    status: row.status,
    connected: row.status === 'WORKING',
    me: toLinkedAccount(row),
    engine: row.gateway,
    reason: reasonOf(row.statusReason),
    reasonMessage: reasonMessage(row.statusReason, row.statusCode),
    reasonCode: row.statusCode,
    linkWarning,
    networkWarning: production && row.gateway === 'simulator' ? simulatedWarning : restriction,
    restrictedUntil: restriction === null ? null : formatInstant(row.restrictedUntil),
    manager: {
      retryCount: row.retryCount,
      maxRetries,
      totalRecoveries: row.totalRecoveries,
      totalFailures: row.totalFailures,
      queuesPaused: row.status !== 'WORKING' || row.queueHeldAt !== null,
      lastHealthy: formatInstant(row.lastHealthyAt),
      connectedSince: formatInstant(row.connectedSince),
      lastErrorAt: formatInstant(row.lastErrorAt),
      uptime: formatDuration(uptimeMs),
      uptimeSeconds: Math.floor(uptimeMs / 1000),
      lastError: row.lastError,
    },
    action: {
      ...withLinkWarning(suggestedAction(row, restriction), row, linkWarning),
      canLogout: row.networkId !== null,
    },
  }
}

type Action = Pick<ConnectionState['action'], 'type' | 'message'>

/** Puts the warning before a further link in the place of the invitation to it, and of nothing else. */
function withLinkWarning(action: Action, { statusReason }: NumberRow, linkWarning: string | null): Action {
  const invites = action.type === 'scan_qr' || (action.type === 'start' && statusReason === 'qr_expired')
  return linkWarning !== null && invites ? { ...action, message: linkWarning } : action
}

const actions: Record<NumberStatus, Action> = {
  WORKING: { type: 'none', message: 'The number is connected. There is nothing to do.' },
  SCAN_QR_CODE: { type: 'scan_qr', message: 'Scan the QR with the phone, or ask for a pairing code.' },
  STARTING: { type: 'wait', message: 'The number is connecting. This takes a few seconds.' },
  STOPPED: { type: 'start', message: 'The number is stopped. Start it to use it.' },
  FAILED: {
    type: 'reconnect',
    message: 'The connection failed and is retried by itself. Reconnect the number to retry now.',
  },
  UNREACHABLE: {
    type: 'contact_support',
    message: 'The host of the number does not respond. It comes back by itself.',
  },
}

const release: Action = {
  type: 'release',
  message:
    'Another phone was linked, or the service was restored from a backup. What was queued before is held, and ' +
    'new texts are refused. Send or discard the held messages: POST /session/:containerId/release.',
}

function suggestedAction(row: NumberRow, restriction: string | null): Action {
  if (row.queueHeldAt !== null && row.status === 'WORKING') return release
  if (restriction !== null && row.status === 'WORKING') return { type: 'wait', message: restriction }
  if (row.status === 'SCAN_QR_CODE') return linkAction(row)
  const message = reasonMessage(row.statusReason, row.statusCode)
  if (row.status !== 'FAILED' || message === null) return actions[row.status]
  if (row.isFinal) return { type: finalActions[row.statusReason ?? ''] ?? 'start', message }
  if (row.retryAt) return { type: 'wait', message: `${message} The next attempt is at ${row.retryAt.toISOString()}.` }
  return row.statusReason === 'qr_expired' ? { type: 'start', message } : actions.FAILED
}

/** What a person does about a number that is not tried again; `start` where nothing is named. */
const finalActions: Readonly<Record<string, ConnectionState['action']['type']>> = {
  banned: 'contact_support',
  client_outdated: 'contact_support',
  passkey_required: 'passkey',
}

function linkAction({ linkStep, statusReason }: NumberRow): Action {
  if (linkStep?.step === 'confirm') {
    const message = `The phone shows a code. Confirm the link where it is made if the code is ${linkStep.code}.`
    return { type: 'passkey', message }
  }
  const isPasskey = linkStep !== null || statusReason === 'passkey_required'
  return isPasskey ? { type: 'passkey', message: numberReasonSentences.passkey_required } : actions.SCAN_QR_CODE
}

/** What people read while a service that runs in production simulates its network. */
export const simulatedWarning =
  'This service simulates the chat network: no message reaches a real phone. Set GATEWAY to a real network.'

/** Returns a stored reason as the API shows it. */
export function reasonOf(stored: string | null): NumberReason | null {
  return stored !== null && stored in numberReasonSentences ? (stored as NumberReason) : null
}

/** Returns what a stored reason means and what to do about it. */
export function reasonMessage(stored: string | null, code: number | null = null): string | null {
  const reason = reasonOf(stored)
  return reason && reasonSentence(reason, code)
}

/** Returns the state of a number without a QR (`message`) and what to do about it (`hint`). */
export function qrHint(status: NumberStatus): { message: string; hint: string } {
  return { message: `The number is ${status}; there is no QR to scan.`, hint: actions[status].message }
}

/** Returns a number as the gateway identifies it. */
export function toSession({
  id,
  organizationId,
  gateway,
}: Pick<NumberRow, 'id' | 'organizationId' | 'gateway'>): GatewaySession {
  return { containerId: id, organizationId, gateway }
}

function toLinkedAccount(row: NumberRow): NumberRecord['me'] {
  return row.networkId === null ? null : { id: row.networkId, pushName: row.pushName ?? '' }
}

/** Formats a length of time for people: `45 s`, `12 min`, `3 h 12 min`, `2 d 5 h`. Never less than `0 s`. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  return hours < 24 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`
}

function formatInstant(at: Date | null): string | null {
  return at?.toISOString() ?? null
}
