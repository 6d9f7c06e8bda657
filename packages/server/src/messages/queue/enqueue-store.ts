import { type Db, preparedRows } from '../../db/db.ts'
import {
  type KeyReservation,
  reservationColumns,
  reserveKeysSql,
  toReservationRow,
} from '../../idempotency/key-store.ts'
import type { Requester } from '../requester.ts'

/** A message to store as queued, with its times: the statement does not read the clock for each row. */
export interface QueueRow {
  readonly id: string
  readonly organizationId: string
  readonly containerId: string
  readonly type: 'alert' | 'bulk'
  readonly recipient: string
  readonly content: string
  readonly priority: 'high' | 'normal' | 'low'
  readonly pinned: boolean
  readonly clientReference: string | null
  readonly campaignId?: string | null
  readonly reminderId?: string | null
  readonly sentBy?: Requester | null
  readonly botId?: string | null
  readonly conversationId?: string | null
  readonly networkClientId: string
  readonly dueAt: Date
  readonly queueAt: Date
}

/**
 * Stores queued messages and makes their lanes due. The lanes are locked first and without a condition, in the order of
 * their id. A dispatcher that reads a lane at the same time then either finds the rows or polls again; with the
 * messages first, some were never sent. Returns missing lanes, whose numbers were removed (then nothing is stored), and
 * closed lanes, whose numbers went down or are held.
 */
export async function insertQueued(
  trx: Db,
  messages: readonly QueueRow[],
): Promise<{ missingLanes: string[]; closedLanes: string[] }> {
  const lanes = [...new Set(messages.map((message) => message.containerId))]
  const lockedLanes = await preparedRows<{ containerId: string; open: boolean }>(
    trx,
    `with locked as (
       select container_id from lanes where container_id = any(:lanes::uuid[]) order by container_id for update
     )
     update lanes set next_claim_at = least(lanes.next_claim_at, :dueAt::timestamptz) from locked
      where lanes.container_id = locked.container_id
     returning lanes.container_id as "containerId", lanes.open`,
    { lanes, dueAt: new Date(Math.min(...messages.map((message) => message.dueAt.getTime()))) },
  )
  const present = new Set(lockedLanes.map((lane) => lane.containerId))
  const missingLanes = lanes.filter((lane) => !present.has(lane))
  if (missingLanes.length > 0) return { missingLanes, closedLanes: [] }
  await preparedRows(trx, `${insertInto} select ${values} from ${inputRows(columns)}`, {
    messages: JSON.stringify(messages.map(toColumns)),
  })
  return { missingLanes: [], closedLanes: lockedLanes.filter((lane) => !lane.open).map((lane) => lane.containerId) }
}

/** A message with the Idempotency-Key of its request, which is reserved with it; null without one. */
export interface ClaimingRow {
  readonly row: QueueRow
  readonly claim: KeyReservation | null
}

/**
 * Stores independent messages in one statement: each where its lane is open and not locked, so that none waits for the
 * lane of another, and where its key is free. Returns the ids of the stored ones. A lane that is due in time anyway is
 * locked but not written: each write would leave a dead row and an entry of its index. No two of the claims may have
 * one key.
 */
export async function insertWhereFree(db: Db, messages: readonly ClaimingRow[]): Promise<Set<string>> {
  const stored = await preparedRows<{ id: string }>(
    db,
    `with given as materialized (select * from ${inputRows(`${columns}, ${reservationColumns}`)}), lane as (
       select container_id, min(due_at) as due_at from given group by container_id
     ), locked as materialized (
       select l.container_id, l.next_claim_at, lane.due_at from lanes l join lane using (container_id)
        where l.open order by l.container_id for update of l skip locked
     ), due as (
       update lanes set next_claim_at = locked.due_at from locked
        where lanes.container_id = locked.container_id and locked.next_claim_at > locked.due_at
     ), claim as materialized (
       -- A key is reserved only where its message can be stored too.
       select given.* from given join locked using (container_id) where key is not null
     ), taken as (${reserveKeysSql('claim')}
     ), refused as materialized (
       select id from claim left join taken using (organization_id, credential, route, key) where taken.key is null
     )
     ${insertInto} select ${values} from given m join locked using (container_id)
      where not exists (select from refused where refused.id = m.id)
     returning id`,
    {
      messages: JSON.stringify(messages.map(toKeyedColumns)),
    },
  )
  return new Set(stored.map(({ id }) => id))
}

const insertInto = `insert into messages (id, organization_id, container_id, type, kind, recipient, content, priority, status, pinned,
  client_reference, campaign_id, reminder_id, sent_by, bot_id, conversation_id, network_client_id, due_at, queue_at, created_at)`

const values = `m.id, m.organization_id, container_id, m.type, 'text', m.recipient, m.content, m.priority, 'queued', m.pinned,
  m.client_reference, m.campaign_id, m.reminder_id, m.sent_by, m.bot_id, m.conversation_id, m.network_client_id, m.due_at, m.queue_at, (select service_now())`

function inputRows(wanted: string): string {
  return `jsonb_to_recordset(:messages::jsonb) as m(${wanted})`
}

const columns = `id uuid, organization_id uuid, container_id uuid, type text, recipient text, content text, priority text,
  pinned boolean, client_reference text, campaign_id uuid, reminder_id uuid, sent_by text, bot_id uuid, conversation_id uuid,
  network_client_id text, due_at timestamptz, queue_at timestamptz`

function toKeyedColumns({ row, claim }: ClaimingRow): Record<string, unknown> {
  return claim ? Object.assign(toColumns(row), toReservationRow(claim)) : toColumns(row)
}

/** Returns a message as JSON has it. What is null is left out: a batch is half as long without. */
function toColumns(message: QueueRow): Record<string, unknown> {
  return {
    id: message.id,
    organization_id: message.organizationId,
    container_id: message.containerId,
    type: message.type,
    recipient: message.recipient,
    content: message.content,
    priority: message.priority,
    pinned: message.pinned,
    client_reference: message.clientReference ?? undefined,
    campaign_id: message.campaignId ?? undefined,
    reminder_id: message.reminderId ?? undefined,
    sent_by: message.sentBy ?? undefined,
    bot_id: message.botId ?? undefined,
    conversation_id: message.conversationId ?? undefined,
    network_client_id: message.networkClientId,
    due_at: message.dueAt,
    queue_at: message.queueAt,
  }
}
