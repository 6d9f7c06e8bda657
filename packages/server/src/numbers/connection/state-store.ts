import { endPauses } from '#numbers/guard/refusal-store.ts'
import { updateLaneStates } from '#numbers/lanes/lane-store.ts'
import type { NumberRow } from '#numbers/records/store.ts'
import { type Db, rows } from '#platform/db/db.ts'
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
  | 'statusCode'
  | 'nextCheckAt'
  | 'missedProbes'
  | 'exhaustionReported'
  | 'noAcksAt'
  | 'reportSequence'
  | 'retryAt'
  | 'isFinal'
  | 'linkStep'
>

/** A transition of a locked number. */
export interface Transition extends Pick<Step, 'change' | 'via'> {
  readonly number: NumberRow
  readonly reason: string | null
  readonly source: StateSource
  readonly at: Date
}

const columns: Readonly<Record<keyof StateChange, string>> = {
  status: 'status',
  phoneNumber: 'phone_number',
  networkId: 'network_id',
  pushName: 'push_name',
  lastLinkedPhone: 'last_linked_phone',
  linkedAt: 'linked_at',
  everLinked: 'ever_linked',
  queueHeldAt: 'queue_held_at',
  lastReportedProblem: 'last_reported_problem',
  downSince: 'down_since',
  retryCount: 'retry_count',
  totalRecoveries: 'total_recoveries',
  totalFailures: 'total_failures',
  connectedSince: 'connected_since',
  lastHealthyAt: 'last_healthy_at',
  lastErrorAt: 'last_error_at',
  lastError: 'last_error',
  statusSince: 'status_since',
  statusReason: 'status_reason',
  statusCode: 'status_code',
  nextCheckAt: 'next_check_at',
  missedProbes: 'missed_probes',
  exhaustionReported: 'exhaustion_reported',
  noAcksAt: 'no_acks_at',
  reportSequence: 'report_sequence',
  retryAt: 'retry_at',
  isFinal: 'is_final',
  linkStep: 'link_step',
}
const changedKeys = Object.keys(columns) as (keyof StateChange)[]
const changedColumns = ['status_at', ...Object.values(columns)]

// What the network limits is the account of a phone: with another phone it is past.
const writeStatesSql = `
  update numbers n set ${changedColumns.map((column) => `${column} = c.${column}`).join(', ')},
         restricted_until = case when n.last_linked_phone <> c.last_linked_phone then null else n.restricted_until end,
         blocked_until = case when n.last_linked_phone <> c.last_linked_phone then null else n.blocked_until end
    from jsonb_populate_recordset(null::numbers, :changes::jsonb) c
   where n.organization_id = :organizationId and n.id = c.id`

/** Writes transitions of locked numbers of an organization, their history and whether their lanes are open. */
export async function writeStates(trx: Db, organizationId: string, transitions: readonly Transition[]): Promise<void> {
  const changes = transitions.map(({ number, change, at }) => ({
    id: number.id,
    status_at: at,
    ...Object.fromEntries(changedKeys.map((key) => [columns[key], change[key]])),
  }))
  await rows(trx, writeStatesSql, { organizationId, changes: JSON.stringify(changes) })
  const relinked = transitions.filter(
    ({ number, change }) => number.lastLinkedPhone !== null && number.lastLinkedPhone !== change.lastLinkedPhone,
  )
  await endPauses(
    trx,
    relinked.map(({ number }) => number.id),
  )
  const history = transitions.flatMap(({ number, change, via, ...about }) => {
    const way = [number.status, ...(via === null ? [] : [via]), change.status]
    return way.flatMap((to, i) => {
      const from = way[i - 1]
      return from === undefined || from === to ? [] : [{ ...about, id: number.id, from, to }]
    })
  })
  if (history.length > 0) await insertHistory(trx, organizationId, history)
  await updateLaneStates(
    trx,
    organizationId,
    transitions.map(({ number }) => number.id),
  )
}

interface HistoryEntry extends Pick<Transition, 'reason' | 'source' | 'at'> {
  readonly id: string
  readonly from: string
  readonly to: string
}

async function insertHistory(trx: Db, organizationId: string, history: readonly HistoryEntry[]): Promise<void> {
  await rows(
    trx,
    `insert into number_history (organization_id, container_id, at, from_status, to_status, reason, source)
     select :organizationId, h.id, h.at, h.from_status, h.to_status, h.reason, h.source
       from unnest(:ids::uuid[], :ats::timestamptz[], :froms::text[], :tos::text[], :reasons::text[], :sources::text[])
            with ordinality as h(id, at, from_status, to_status, reason, source, nth)
      order by h.nth`,
    {
      organizationId,
      ids: history.map(({ id }) => id),
      ats: history.map(({ at }) => at),
      froms: history.map(({ from }) => from),
      tos: history.map(({ to }) => to),
      reasons: history.map(({ reason }) => reason),
      sources: history.map(({ source }) => source),
    },
  )
}

/** Records the sequence of a report that changed nothing else, so that older ones stay outdated. */
export async function writeReportSequence(
  trx: Db,
  { id, organizationId }: Pick<NumberRow, 'id' | 'organizationId'>,
  sequence: number,
): Promise<void> {
  await trx('numbers').where({ id, organizationId }).update({ reportSequence: sequence })
}

/** Ends the hold of a number's queue. */
export async function endHold(trx: Db, organizationId: string, containerId: string): Promise<void> {
  await trx('numbers').where({ organizationId, id: containerId }).update({ queueHeldAt: null })
  await updateLaneStates(trx, organizationId, [containerId])
}

/** Clears the linked account of a number. Its digits stay, so that people recognize it. */
export async function clearLink(trx: Db, organizationId: string, containerId: string): Promise<void> {
  await trx('numbers').where({ organizationId, id: containerId }).update({ networkId: null, pushName: null })
}

/** Stores whether the organization wants the number to run. */
export async function writeDesiredState(
  trx: Db,
  organizationId: string,
  containerId: string,
  desiredState: 'running' | 'stopped',
): Promise<void> {
  await trx('numbers').where({ organizationId, id: containerId }).update({ desiredState })
}

/** Returns the service time as of now, after any lock that this transaction waited for. */
export async function serviceTime(db: Db): Promise<Date> {
  const [time] = await rows<{ now: Date }>(db, 'select service_now() as now')
  if (!time) throw new Error('the service has no time')
  return time.now
}
