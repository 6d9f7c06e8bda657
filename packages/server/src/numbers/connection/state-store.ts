import { type Db, rows } from '../../db/db.ts'
import { updateLaneState } from '../../messages/lanes/lane-store.ts'
import type { NumberRow } from '../records/store.ts'
import type { StateSource, Step } from './state-rules.ts'

/** The columns that a transition changes. */
export type StateChange = Pick<
  NumberRow,
  | 'status'
  | 'phoneNumber'
  | 'networkId'
  | 'pushName'
  | 'lastLinkedPhone'
  | 'everLinked'
  | 'queueHeldAt'
  | 'lastReportedProblem'
  | 'downSince'
  | 'retryCount'
  | 'totalRecoveries'
  | 'totalFailures'
  | 'connectedSince'
  | 'lastHealthyAt'
  | 'lastErrorAt'
  | 'lastError'
  | 'statusSince'
  | 'statusReason'
  | 'nextCheckAt'
  | 'missedProbes'
  | 'exhaustionReported'
  | 'noAcksAt'
  | 'reportSequence'
>

/** Writes a transition of a locked number, its history and whether its lane is open. */
export async function writeState(
  trx: Db,
  number: Pick<NumberRow, 'id' | 'organizationId' | 'status'>,
  { change, via }: Pick<Step, 'change' | 'via'>,
  history: { reason: string | null; source: StateSource; at: Date },
): Promise<void> {
  const { id, organizationId } = number
  await rows(
    trx,
    `update numbers
        set status_at = :at, status = :status, phone_number = :phoneNumber, network_id = :networkId, push_name = :pushName,
            last_linked_phone = :lastLinkedPhone, ever_linked = :everLinked, queue_held_at = :queueHeldAt,
            last_reported_problem = :lastReportedProblem, down_since = :downSince, retry_count = :retryCount,
            total_recoveries = :totalRecoveries, total_failures = :totalFailures, connected_since = :connectedSince,
            last_healthy_at = :lastHealthyAt, last_error_at = :lastErrorAt, last_error = :lastError,
            status_since = :statusSince, status_reason = :statusReason, next_check_at = :nextCheckAt,
            missed_probes = :missedProbes, exhaustion_reported = :exhaustionReported, no_acks_at = :noAcksAt,
            report_sequence = :reportSequence
      where id = :id and organization_id = :organizationId`,
    { ...change, id, organizationId, at: history.at },
  )
  const way = [number.status, ...(via === null ? [] : [via]), change.status]
  for (const [i, to] of way.entries()) {
    const from = way[i - 1]
    if (from === undefined || from === to) continue
    await rows(
      trx,
      `insert into number_history (organization_id, container_id, at, from_status, to_status, reason, source)
       values (:organizationId, :id, :at, :from, :to, :reason, :source)`,
      { ...history, id, organizationId, from, to },
    )
  }
  await updateLaneState(trx, organizationId, id)
}

/** Records the sequence of a report that changed nothing else, so that older ones stay outdated. */
export async function writeReportSequence(
  trx: Db,
  { id, organizationId }: Pick<NumberRow, 'id' | 'organizationId'>,
  sequence: number,
): Promise<void> {
  await trx('numbers').where({ id, organization_id: organizationId }).update({ report_sequence: sequence })
}

/** Ends the hold of a number's queue. */
export async function endHold(trx: Db, organizationId: string, containerId: string): Promise<void> {
  await rows(
    trx,
    'update numbers set queue_held_at = null where organization_id = :organizationId and id = :containerId',
    {
      organizationId,
      containerId,
    },
  )
  await updateLaneState(trx, organizationId, containerId)
}

/** Clears the linked account of a number. Its digits stay, so that people recognize it. */
export async function clearLink(trx: Db, organizationId: string, containerId: string): Promise<void> {
  await rows(
    trx,
    `update numbers set network_id = null, push_name = null
      where organization_id = :organizationId and id = :containerId`,
    { organizationId, containerId },
  )
}

/** Stores whether the organization wants the number to run. */
export async function writeDesiredState(
  trx: Db,
  organizationId: string,
  containerId: string,
  desiredState: 'running' | 'stopped',
): Promise<void> {
  await rows(
    trx,
    'update numbers set desired_state = :desiredState where id = :containerId and organization_id = :organizationId',
    {
      organizationId,
      containerId,
      desiredState,
    },
  )
}

/** Returns the service time as of now, after any lock that this transaction waited for. */
export async function serviceTime(db: Db): Promise<Date> {
  const [time] = await rows<{ now: Date }>(db, 'select service_now() as now')
  if (!time) throw new Error('the service has no time')
  return time.now
}
