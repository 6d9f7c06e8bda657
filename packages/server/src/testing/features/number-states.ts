import type { NumberStatus } from '@msgctl/contract'
import { type FoundState, type KnownState, nextState, type StateSource } from '#numbers/connection/state-rules.ts'

export const at = new Date('2026-03-01T12:00:00Z')
export const later = new Date('2026-03-01T12:05:00Z')
export const phoneA = { id: '12025550001@c.us', digits: '12025550001', pushName: 'A' }
export const phoneB = { id: '12025550002@c.us', digits: '12025550002', pushName: 'B' }

/** A number that was added just now. */
export const added: KnownState = {
  status: 'STARTING',
  statusSince: at,
  statusReason: 'created',
  statusCode: null,
  desiredState: 'running',
  phoneNumber: null,
  networkId: null,
  pushName: null,
  lastLinkedPhone: null,
  linkedAt: null,
  everLinked: false,
  queueHeldAt: null,
  lastReportedProblem: null,
  downSince: null,
  retryCount: 0,
  totalRecoveries: 0,
  totalFailures: 0,
  connectedSince: null,
  lastHealthyAt: null,
  lastErrorAt: null,
  lastError: null,
  nextCheckAt: at,
  missedProbes: 0,
  exhaustionReported: false,
  noAcksAt: null,
  reportSequence: 0,
  retryAt: null,
  isFinal: false,
  linkStep: null,
}

/** Returns the step that a found state causes, and the number after it. `source` is the network by default. */
export function after(
  number: KnownState,
  found: FoundState,
  options: { at?: Date; source?: StateSource; waiting?: boolean } = {},
) {
  const step = nextState(number, found, { at: later, source: 'network', waiting: false, ...options })
  return { event: step?.event ?? null, via: step?.via ?? null, number: { ...number, ...step?.change }, dropped: !step }
}

/** A number that works, linked with phone A. */
export const linked: KnownState = after(added, { status: 'WORKING', me: phoneA }, { at }).number

/** The same in another status. */
export function being(status: NumberStatus, lastReportedProblem: KnownState['lastReportedProblem'] = null): KnownState {
  return { ...linked, status, lastReportedProblem, desiredState: status === 'STOPPED' ? 'stopped' : 'running' }
}
