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
  | 'linkedAt'
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
  | 'retryAt'
  | 'isFinal'
  | 'linkStep'
>

/** Writes a transition of a locked number, its history and whether its lane is open. */
export async function writeState(
  trx: Db,
  number: Pick<NumberRow, 'id' | 'organizationId' | 'status'>,
  { change, via }: Pick<Step, 'change' | 'via'>,
  history: { reason: string | null; source: StateSource; at: Date },
): Promise<void> {
  const { id, organizationId } = number
  await trx('numbers')
    .where({ id, organization_id: organizationId })
    .update({
      status_at: history.at,
      status: change.status,
      phone_number: change.phoneNumber,
      network_id: change.networkId,
      push_name: change.pushName,
      last_linked_phone: change.lastLinkedPhone,
      linked_at: change.linkedAt,
      ever_linked: change.everLinked,
      queue_held_at: change.queueHeldAt,
      last_reported_problem: change.lastReportedProblem,
      down_since: change.downSince,
      retry_count: change.retryCount,
      total_recoveries: change.totalRecoveries,
      total_failures: change.totalFailures,
      connected_since: change.connectedSince,
      last_healthy_at: change.lastHealthyAt,
      last_error_at: change.lastErrorAt,
      last_error: change.lastError,
      status_since: change.statusSince,
      status_reason: change.statusReason,
      next_check_at: change.nextCheckAt,
      missed_probes: change.missedProbes,
      exhaustion_reported: change.exhaustionReported,
      no_acks_at: change.noAcksAt,
      report_sequence: change.reportSequence,
      retry_at: change.retryAt,
      is_final: change.isFinal,
      link_step: change.linkStep && JSON.stringify(change.linkStep),
    })
  const way = [number.status, ...(via === null ? [] : [via]), change.status]
  for (const [i, to] of way.entries()) {
    const from = way[i - 1]
    if (from === undefined || from === to) continue
    const row = { ...history, organization_id: organizationId, container_id: id, from_status: from, to_status: to }
    await trx('number_history').insert(row)
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
  await trx('numbers').where({ organization_id: organizationId, id: containerId }).update({ queue_held_at: null })
  await updateLaneState(trx, organizationId, containerId)
}

/** Clears the linked account of a number. Its digits stay, so that people recognize it. */
export async function clearLink(trx: Db, organizationId: string, containerId: string): Promise<void> {
  await trx('numbers')
    .where({ organization_id: organizationId, id: containerId })
    .update({ network_id: null, push_name: null })
}

/** Stores whether the organization wants the number to run. */
export async function writeDesiredState(
  trx: Db,
  organizationId: string,
  containerId: string,
  desiredState: 'running' | 'stopped',
): Promise<void> {
  await trx('numbers')
    .where({ organization_id: organizationId, id: containerId })
    .update({ desired_state: desiredState })
}

/** Returns the service time as of now, after any lock that this transaction waited for. */
export async function serviceTime(db: Db): Promise<Date> {
  const [time] = await rows<{ now: Date }>(db, 'select service_now() as now')
  if (!time) throw new Error('the service has no time')
  return time.now
}
