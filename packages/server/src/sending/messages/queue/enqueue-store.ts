import { type KeyReservation, reservationColumns, reserveKeysSql } from '#api/idempotency/key-store.ts'
import { lockedLanesSql } from '#numbers/lanes/lane-store.ts'
import { type Db, preparedRows, rows } from '#platform/db/db.ts'
import { type InputColumn, inputRowsSql, toArrays } from '#platform/db/input-rows.ts'
import { afterCommit } from '#platform/db/wake.ts'
import type { Requester } from '#sending/messages/requester.ts'

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

/** A lane that a statement has locked: whether it is open, and whether all lanes of its send group are locked too. */
export interface LockedLane {
  readonly open: boolean
  readonly whole: boolean
}

/**
 * Locks lanes for texts, those of {@link lockedLanesSql}, and makes them due at `dueAt` or earlier. Returns the given
 * ones that exist. A caller that stores messages in several steps locks all their lanes first.
 */
export async function lockLanes(
  trx: Db,
  lanes: readonly { readonly containerId: string; readonly pinned: boolean }[],
  dueAt: Date,
): Promise<Map<string, LockedLane>> {
  const found = await rows<LockedLane & { containerId: string }>(
    trx,
    `with lane as (
       select container_id, bool_and(pinned) as pinned, :dueAt::timestamptz as due_at
         from unnest(:lanes::uuid[], :pinned::boolean[]) as given(container_id, pinned) group by 1
     ), ${lockedLanesSql}, due as (
       update lanes set next_claim_at = least(lanes.next_claim_at, locked.due_at) from locked
        where lanes.container_id = locked.container_id and locked.due_at is not null
     )
     select container_id, open, whole from locked where due_at is not null`,
    { lanes: lanes.map(({ containerId }) => containerId), pinned: lanes.map(({ pinned }) => pinned), dueAt },
  )
  return new Map(found.map(({ containerId, ...lane }) => [containerId, lane]))
}

/** A message with the Idempotency-Key of its request, which is reserved with it; null without one. */
export interface ClaimingRow {
  readonly row: QueueRow
  readonly claim: KeyReservation | null
}

/** What became of messages that were to be stored; those of missing lanes are not. */
export interface Stored {
  /** The lanes that exist, or those that were open and free. */
  readonly lanes: ReadonlyMap<string, LockedLane>
  /** The messages that were not stored because their key was not free. */
  readonly refused: ReadonlySet<string>
}

/**
 * Stores queued messages in one statement, where their lane exists and their key is free, and makes the lanes due. The
 * lanes are locked first. A dispatcher that reads a lane at the same time then finds the messages, or polls again; with
 * the messages first, some were never sent. With `waits`, the statement waits for locks of others; without, it
 * leaves out what belongs to a lane that is locked or closed, so that no message waits for the lane of another. A lane
 * that is due in time anyway is locked but not written: each write would leave a dead row and an entry of its index. No
 * two of the claims may have one key.
 */
export async function insertTexts(db: Db, messages: readonly ClaimingRow[], waits: boolean): Promise<Stored> {
  const found = await preparedRows<{ id: string; open: boolean | null; whole: boolean }>(
    db,
    waits ? waitingInsert : skippingInsert,
    toArrays(keyedColumns, messages),
  )
  const lanes = new Map(found.flatMap(({ id, open, whole }) => (open === null ? [] : [[id, { open, whole }]])))
  const refused = new Set(found.flatMap(({ id, open }) => (open === null ? id : [])))
  if (lanes.size > 0) afterCommit(db, messages.some(({ row }) => row.priority === 'high') ? 'urgent' : 'lanes')
  return { lanes, refused }
}

const insertInto = `insert into messages (id, organization_id, container_id, type, kind, recipient, content, priority,
    status, pinned,
  client_reference, campaign_id, reminder_id, sent_by, bot_id, conversation_id, network_client_id, due_at, queue_at,
  created_at)`

const values = `m.id, m.organization_id, container_id, m.type, 'text', m.recipient, m.content, m.priority, 'queued',
  m.pinned,
  m.client_reference, m.campaign_id, m.reminder_id, m.sent_by, m.bot_id, m.conversation_id, m.network_client_id,
  m.due_at, m.queue_at, (select service_now())`

const columns: readonly InputColumn<QueueRow>[] = [
  ['id', 'uuid', (row) => row.id],
  ['organization_id', 'uuid', (row) => row.organizationId],
  ['container_id', 'uuid', (row) => row.containerId],
  ['type', 'text', (row) => row.type],
  ['recipient', 'text', (row) => row.recipient],
  ['content', 'text', (row) => row.content],
  ['priority', 'text', (row) => row.priority],
  ['pinned', 'boolean', (row) => row.pinned],
  ['client_reference', 'text', (row) => row.clientReference],
  ['campaign_id', 'uuid', (row) => row.campaignId],
  ['reminder_id', 'uuid', (row) => row.reminderId],
  ['sent_by', 'text', (row) => row.sentBy],
  ['bot_id', 'uuid', (row) => row.botId],
  ['conversation_id', 'uuid', (row) => row.conversationId],
  ['network_client_id', 'text', (row) => row.networkClientId],
  ['due_at', 'timestamptz', (row) => row.dueAt.toISOString()],
  ['queue_at', 'timestamptz', (row) => row.queueAt.toISOString()],
]

const keyedColumns: readonly InputColumn<ClaimingRow>[] = [
  ...columns.map(([name, type, read]) => [name, type, ({ row }: ClaimingRow) => read(row)] as const),
  ...reservationColumns.map(([name, type, read]) => [name, type, ({ claim }: ClaimingRow) => read(claim)] as const),
]

function insertSql(locked: string): string {
  return `
    with given as materialized (select * from ${inputRowsSql('m', keyedColumns)}), lane as (
      select container_id, min(due_at) as due_at, bool_and(pinned) as pinned from given group by container_id
    ), ${locked}, due as (
      update lanes set next_claim_at = locked.due_at from locked
       where lanes.container_id = locked.container_id and locked.next_claim_at > locked.due_at
    ), claim as materialized (
      -- A key is reserved only where its message can be stored too.
      select given.* from given join locked using (container_id) where key is not null
    ), taken as (${reserveKeysSql('claim')}
    ), refused as materialized (
      select id from claim left join taken using (organization_id, credential, route, key) where taken.key is null
    ), stored as (
      ${insertInto} select ${values} from given m join locked using (container_id)
       where not exists (select from refused where refused.id = m.id)
    )
    select container_id as id, open, whole from locked where due_at is not null
     union all select id, null, false from refused`
}

const waitingInsert = insertSql(lockedLanesSql)
const skippingInsert = insertSql(`locked as materialized (
      select l.container_id, l.open, l.next_claim_at, lane.due_at, false as whole
        from lanes l join lane using (container_id)
       where l.open order by l.container_id for update of l skip locked
    )`)
