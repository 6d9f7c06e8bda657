import type { Closing } from '../engine/engine.ts'
import type { HostLog } from '../process/log.ts'
import type { AfterClose } from './after-close.ts'

/** The end of a connection, and what follows from it. */
interface ConnectionEnd {
  readonly containerId: string
  readonly isLinked: boolean
  /** When the connection opened; null when it never did. */
  readonly openedAtMs: number | null
  /** The version that it claimed to be. */
  readonly webVersion: string | null
  readonly closing: Closing
  readonly next: AfterClose
}

/** Returns the reason for which a connection ended, as it is counted. */
export function reasonOf(next: AfterClose): string {
  return next.is === 'forget' ? 'logged_out' : next.reason
}

/** Logs that the network refused a message, with its code. */
export function logRefusal(log: HostLog, containerId: string, code: number): void {
  log.warn({ event: 'message_refused', containerId, code }, 'the network refused a message')
}

/** Logs that a number could not connect for a reason that is not of the network, and tries again. */
export function logFault(log: HostLog, containerId: string, err: unknown): void {
  log.warn({ event: 'connection_not_opened', containerId, err }, 'failed to connect a number, and tries again')
}

/** Logs why a connection ended. It is seen here and nowhere else: the library writes nothing. */
export function logEnd(log: HostLog, { containerId, isLinked, openedAtMs, webVersion, closing, next }: ConnectionEnd) {
  const { code, cause, location, obstacle, expiresAt } = closing
  const openSeconds = openedAtMs === null ? null : Math.round((Date.now() - openedAtMs) / 1000)
  const ended = { event: 'connection_ended', containerId, code, cause, location, obstacle, expiresAt, webVersion }
  log.info({ ...ended, openSeconds, isLinked, reason: reasonOf(next), next: next.is }, 'a connection ended')
}
