import { appendEvents, type NewEvent } from '#events/append.ts'
import { transaction } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'
import type { Services } from '#services.ts'

/** An event about a number, identified by `mark`. */
export function recovered(organizationId: string, mark = 'one'): NewEvent {
  const recoveredAt = '2026-03-01T12:00:00.000Z'
  const data = { status: 'WORKING', recoveredAt, containerId: newId(), numberPhone: null, session: mark } as const
  return { organizationId, event: 'session.recovered', data }
}

/** An event of another kind, identified by `mark`. */
export function needsScan(organizationId: string, mark = 'one'): NewEvent {
  const data = { status: 'SCAN_QR_CODE', containerId: newId(), numberPhone: null, session: mark } as const
  return { organizationId, event: 'session.needs_scan', data }
}

/** Appends events in one transaction, as features do. */
export async function append({ db }: Pick<Services, 'db'>, ...events: NewEvent[]): Promise<void> {
  await transaction(db, (trx) => appendEvents(trx, events))
}
