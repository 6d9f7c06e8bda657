import type { GatewaySession } from '@msgctl/network/gateway'
import { type DueEvent, toRow } from '#networks/simulator/events/event.ts'
import { type Db, rows } from '#platform/db/db.ts'
import { afterCommit } from '#platform/db/wake.ts'
import type { StoredContent } from './plan.ts'

/** A message to keep. */
export interface NewMessage {
  readonly containerId: string
  readonly organizationId: string
  readonly direction: 'in' | 'out'
  readonly clientId: string
  readonly networkId: string
  /** Digits, or a hidden id. */
  readonly chat: string
  readonly content: StoredContent
  readonly typed: boolean
  readonly failed: boolean
  /** Milliseconds from now. */
  readonly afterMs: number
}

/** The rows that one call writes: a message, the events that it causes, and a fault that hit it. */
export interface Write {
  readonly message?: NewMessage
  /** Messages that people will write back. */
  readonly replies?: readonly NewMessage[]
  readonly events?: readonly DueEvent[]
  readonly hit?: { readonly containerId: string; readonly key: string }
}

const messageColumns = `n int, container_id uuid, organization_id uuid, direction text, client_id text, network_id text,
  chat text, content jsonb, typed boolean, failed boolean, after_ms float8`
const messageValues = `container_id, organization_id, direction, client_id, network_id, chat, content, typed, failed,
  (select service_now()) + after_ms * interval '1 millisecond'`
const messageInto =
  'sim_messages (container_id, organization_id, direction, client_id, network_id, chat, content, typed, failed, at)'

// A message whose client id is known is dropped, and with it everything that hangs on it. No index is named as the
// arbiter: of two that arrive together one would otherwise fail on the index of the network's id, which repeats too.
const writeSql = `
with kept as (
  insert into ${messageInto}
  select ${messageValues} from jsonb_to_recordset(:messages::jsonb) as m(${messageColumns}) order by n
  on conflict do nothing
  returning container_id, client_id
), replied as (
  insert into ${messageInto}
  select ${messageValues}
    from jsonb_to_recordset(:replies::jsonb) as m(${messageColumns}, because text)
   where (container_id, because) in (select container_id, client_id from kept)
  on conflict do nothing
), due as (
  insert into sim_events (container_id, organization_id, due_at, kind, network_id, person, payload)
  select container_id, organization_id, (select service_now()) + after_ms * interval '1 millisecond',
         kind, network_id, person, payload
    from jsonb_to_recordset(:events::jsonb) as e(n int, container_id uuid, organization_id uuid, after_ms float8,
         kind text, network_id text, person text, payload jsonb, because text)
   where (container_id, because) in (select container_id, client_id from kept)
   order by n
), struck as (
  insert into sim_fault_hits (container_id, key, hits)
  select container_id, key, 1 from unnest(:hitContainers::uuid[], :hitKeys::text[]) as h(container_id, key)
    order by 1, 2
  on conflict (container_id, key) do update set hits = sim_fault_hits.hits + 1
)
select container_id, client_id from kept`

/** Writes many sends in one statement. Returns for each whether its message was new. */
export async function write(db: Db, writes: readonly Write[]): Promise<boolean[]> {
  const firsts = new Map<string, number>()
  for (const [n, { message }] of writes.entries()) {
    if (message && !firsts.has(keyOf(message))) firsts.set(keyOf(message), n)
  }
  // The order of the keys is the same everywhere, so that two processes never wait for each other.
  const ordered = [...firsts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, n]) => writes[n] as Write)
  const hits = new Map(writes.flatMap(({ hit }) => (hit ? [[`${hit.containerId} ${hit.key}`, hit] as const] : [])))
  const stored = await rows<{ containerId: string; clientId: string }>(db, writeSql, {
    messages: asRows(ordered, ({ message }) => (message ? [messageRow(message)] : [])),
    replies: asRows(ordered, ({ replies = [] }) => replies.map(messageRow)),
    events: asRows(ordered, ({ events = [] }) => events.map(toRow)),
    hitContainers: [...hits.values()].map((hit) => hit.containerId),
    hitKeys: [...hits.values()].map((hit) => hit.key),
  })
  afterCommit(db, 'gateway')
  const kept = new Set(stored.map(keyOf))
  return writes.map(
    ({ message }, n) => message !== undefined && firsts.get(keyOf(message)) === n && kept.has(keyOf(message)),
  )
}

/** Rows for SQL as JSON, numbered, each with the client id of the message it hangs on. */
function asRows(writes: readonly Write[], of: (one: Write) => Record<string, unknown>[]): string {
  const all = writes.flatMap((one) => of(one).map((row) => ({ ...row, because: one.message?.clientId })))
  return JSON.stringify(all.map((row, n) => ({ ...row, n })))
}

function keyOf(message: { containerId: string; clientId: string }): string {
  return `${message.containerId} ${message.clientId}`
}

function messageRow(message: NewMessage): Record<string, unknown> {
  return {
    container_id: message.containerId,
    organization_id: message.organizationId,
    direction: message.direction,
    client_id: message.clientId,
    network_id: message.networkId,
    chat: message.chat,
    content: message.content,
    typed: message.typed,
    failed: message.failed,
    after_ms: message.afterMs,
  }
}

/** The message that the network took first under a client id. */
export async function readKnown(
  db: Db,
  session: GatewaySession,
  clientId: string,
): Promise<{ networkId: string; chat: string; failed: boolean } | undefined> {
  return db('sim_messages')
    .where({ containerId: session.containerId, organizationId: session.organizationId, clientId })
    .first({ networkId: 'network_id', chat: 'chat', failed: 'failed' })
}
