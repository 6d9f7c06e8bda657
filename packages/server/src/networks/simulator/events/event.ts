import type { GatewayEvent } from '@msgctl/network/gateway'

type PayloadOf<Event> = Event extends GatewayEvent ? Omit<Event, 'containerId' | 'organizationId' | 'at'> : never

/** The content of an event, without its number and time. */
export type Payload = PayloadOf<GatewayEvent>

/** An event that the network will report. */
export interface DueEvent {
  readonly containerId: string
  readonly organizationId: string
  /** Milliseconds from now; 0 for at once. */
  readonly afterMs: number
  readonly payload: Payload
  /** The phone that has to be online for it, digits. */
  readonly person?: string
}

/** The bare id of the message it is about, if it is about one. */
function messageOf(payload: Payload): string | null {
  if ('networkId' in payload) return payload.networkId
  return payload.kind === 'message.in' ? payload.message.networkId : null
}

/** A due event as a row for SQL. */
export function toRow(event: DueEvent): Record<string, unknown> {
  return {
    container_id: event.containerId,
    organization_id: event.organizationId,
    after_ms: event.afterMs,
    kind: event.payload.kind,
    network_id: messageOf(event.payload),
    person: event.person ?? null,
    payload: event.payload,
  }
}
