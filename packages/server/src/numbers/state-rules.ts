import type { SessionState } from '../gateway/gateway.ts'
import type { NumberRow, StateChange } from './store.ts'

/** The event a step of a number's state tells, if any. */
export type StateEvent = 'session.recovered' | 'session.needs_scan' | 'session.disconnected'

const sentences: Record<string, string> = {
  logged_out: 'The phone ended the link.',
  qr_expired: 'No QR was scanned in time.',
  connection_lost: 'The connection to the network was lost.',
}

/**
 * What a reported state changes in a number and which event it tells. A trouble is told once until the number is back:
 * disconnected or needs_scan only for a number that was ever linked, recovered only after one of them.
 */
export function nextState(
  number: StateChange & Pick<NumberRow, 'status'>,
  reported: SessionState,
  context: { at: Date; queued: boolean },
): { change: StateChange; event: StateEvent | null } {
  const linked = { ...number, ...whoIsLinked(number, reported, context) }
  const known: StateChange = { ...linked, status: reported.status }
  if (reported.status === 'WORKING') return working(number, known, context.at)
  const down: StateChange = {
    ...known,
    connectedSince: null,
    downSince: number.downSince ?? context.at,
  }
  if (reported.status === number.status) return { change: down, event: null }
  if (reported.status === 'SCAN_QR_CODE') return trouble(number, down, reported, context.at, 'session.needs_scan')
  if (reported.status === 'FAILED') return trouble(number, down, reported, context.at, 'session.disconnected')
  return { change: down, event: null }
}

function whoIsLinked(
  number: StateChange,
  { me, status }: SessionState,
  { at, queued }: { at: Date; queued: boolean },
): Partial<StateChange> {
  if (!me) return {}
  const another = number.lastLinkedPhone !== null && number.lastLinkedPhone !== me.digits
  return {
    phoneNumber: me.digits,
    networkId: me.id,
    pushName: me.pushName,
    everLinked: number.everLinked || status === 'WORKING',
    lastLinkedPhone: me.digits,
    // What was queued for one phone must not leave from another before a person has decided so.
    heldAt: another && queued ? at : number.heldAt,
  }
}

function working(number: StateChange, known: StateChange, at: Date): ReturnType<typeof nextState> {
  const cameBack = number.status !== 'WORKING'
  return {
    change: {
      ...known,
      connectedSince: cameBack ? at : number.connectedSince,
      lastHealthyAt: at,
      downSince: null,
      downAnnounced: false,
      retryCount: 0,
      totalRecoveries: number.totalRecoveries + (number.downAnnounced ? 1 : 0),
    },
    event: number.downAnnounced ? 'session.recovered' : null,
  }
}

function trouble(
  number: StateChange,
  down: StateChange,
  { reason }: SessionState,
  at: Date,
  event: StateEvent,
): ReturnType<typeof nextState> {
  // A first link that was never made is no failure, and nobody has to hear of it.
  if (!down.everLinked) return { change: down, event: null }
  const failed = {
    ...down,
    totalFailures: number.totalFailures + (number.downAnnounced ? 0 : 1),
    lastErrorAt: at,
    lastError: sentences[reason ?? ''] ?? reason ?? 'The connection to the network was lost.',
    downAnnounced: true,
  }
  const told = number.downAnnounced && event === 'session.disconnected'
  return { change: failed, event: told ? null : event }
}
