import type { SessionState } from '@msgctl/network/gateway'
import type { FaultSettings } from '#networks/simulator/faults.ts'
import { type Db, rows } from '#platform/db/db.ts'

/** What a call through a number reads first. */
export interface ReadRequest {
  readonly containerId: string
  readonly organizationId: string
  /** The client's id of a message, or `check:<digits>`. */
  readonly keys: readonly string[]
}

/** The number as the network sees it now. */
export interface ConnectionState {
  readonly status: SessionState['status']
  readonly hostDown: boolean
  readonly restrictedMs: number | null
  readonly contactsSynced: boolean
  readonly phone: string | null
  /** A step of the link is due and has not been executed. */
  readonly stepDue: boolean
}

/** A message that the network has taken before. */
export interface KnownMessage {
  readonly networkId: string
  readonly chat: string
  readonly failed: boolean
}

export interface ConnectionSnapshot {
  readonly line: ConnectionState | undefined
  readonly messages: ReadonlyMap<string, KnownMessage>
  /** How many faults have hit what the key names. */
  readonly hits: ReadonlyMap<string, number>
  readonly faults: FaultSettings
}

interface SnapshotRow {
  lines: (ConnectionState & { containerId: string; organizationId: string })[] | null
  messages: (KnownMessage & { containerId: string; clientId: string })[] | null
  hits: { containerId: string; key: string; hits: number }[] | null
  faults: FaultSettings | null
}

const linesAndFaults = `
  (select jsonb_agg(jsonb_build_object('containerId', container_id, 'organizationId', organization_id, 'status', status,
            'hostDown', host_down, 'contactsSynced', contacts_synced_at is not null, 'phone', phone,
            'restrictedMs', (extract(epoch from restricted_until - (select service_now())) * 1000)::float8,
            'stepDue', coalesce(step_at <= (select service_now()), false)))
     from sim_sessions where container_id = any(:numbers::uuid[])) as lines,
  (select settings from sim_faults) as faults`

const readSql = `
with wanted as (select * from unnest(:containers::uuid[], :keys::text[]) as a(container_id, key))
select ${linesAndFaults},
  (select jsonb_agg(jsonb_build_object('containerId', container_id, 'clientId', client_id, 'networkId', network_id,
            'chat', chat, 'failed', failed))
     from sim_messages join wanted using (container_id) where client_id = key) as messages,
  (select jsonb_agg(jsonb_build_object('containerId', container_id, 'key', key, 'hits', hits))
     from sim_fault_hits join wanted using (container_id, key)) as hits`

/** Takes half the time, most of which is planning. */
const readWithoutKeysSql = `select ${linesAndFaults}, null::jsonb as messages, null::jsonb as hits`

/** Reads many numbers and messages in one statement. */
export async function readConnections(db: Db, requests: readonly ReadRequest[]): Promise<ConnectionSnapshot[]> {
  const pairs = requests.flatMap((one) => one.keys.map((key) => ({ containerId: one.containerId, key })))
  const found = await rows<SnapshotRow>(db, pairs.length > 0 ? readSql : readWithoutKeysSql, {
    numbers: [...new Set(requests.map((one) => one.containerId))],
    containers: pairs.map((pair) => pair.containerId),
    keys: pairs.map((pair) => pair.key),
  })
  const row = found[0] as SnapshotRow
  const lines = new Map((row.lines ?? []).map((line) => [line.containerId, line]))
  const messages = new Map((row.messages ?? []).map((one) => [`${one.containerId} ${one.clientId}`, one]))
  const hits = new Map((row.hits ?? []).map((one) => [`${one.containerId} ${one.key}`, one.hits]))
  return requests.map((one) => {
    const line = lines.get(one.containerId)
    return {
      line: line?.organizationId === one.organizationId ? line : undefined,
      messages: pick(messages, one),
      hits: pick(hits, one),
      faults: row.faults ?? {},
    }
  })
}

function pick<Value>(all: ReadonlyMap<string, Value>, one: ReadRequest): Map<string, Value> {
  const selected = new Map<string, Value>()
  for (const key of one.keys) {
    const value = all.get(`${one.containerId} ${key}`)
    if (value !== undefined) selected.set(key, value)
  }
  return selected
}

/** Returns whether the database responds. */
export async function ping(db: Db): Promise<boolean> {
  return (await rows<{ one: number }>(db, 'select 1 as one')).length === 1
}
