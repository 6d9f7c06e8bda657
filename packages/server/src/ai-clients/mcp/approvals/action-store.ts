import type { ActionState } from '@msgctl/contract'
import { anyRow } from '#platform/db/any-row.ts'
import { type Db, firstRow, rows, serviceNow } from '#platform/db/db.ts'
import { notMoving } from '#platform/db/moving.ts'
import type { Row } from '#platform/db/tables.ts'
import { afterCommit } from '#platform/db/wake.ts'

/** Something that an AI client wants to do and a person decides. */
export interface ActionRow extends Omit<Row<'mcp_actions'>, 'state' | 'result' | 'carriedOutBy'> {
  /** The person of the connection; null for a key. */
  readonly userId: string | null
  readonly clientName: string | null
  readonly state: ActionState
  readonly deciderName: string | null
  readonly result: Record<string, unknown> | null
}

/** An action as it is stored first. */
export type NewAction = Pick<
  ActionRow,
  | 'id'
  | 'organizationId'
  | 'connectionId'
  | 'credential'
  | 'tool'
  | 'idempotencyKey'
  | 'argumentsHash'
  | 'reason'
  | 'summary'
> & { readonly argumentsSealed: string; readonly seconds: number }

const selected = `
  select a.id, a.organization_id, a.connection_id, n.user_id, n.client_name, a.credential, a.tool, a.idempotency_key,
         a.arguments_hash, a.arguments_sealed, a.reason, a.summary,
         case when a.state = 'pending' and a.expires_at <= (select service_now()) then 'expired'
           else a.state end as state, a.requested_at, a.expires_at, a.decided_by, u.name as decider_name, a.decided_at,
         a.result
    from mcp_actions a
    left join mcp_connections n on n.organization_id = a.organization_id and n.id = a.connection_id
    left join users u on u.id = a.decided_by`

/** Locks the actions of one client, so that they are counted exactly. */
export async function lockActions(trx: Db, organizationId: string, credential: string): Promise<void> {
  await rows(
    trx,
    `select pg_advisory_xact_lock(hashtextextended(concat_ws(' ', 'mcp actions', :organizationId::text,
          :credential::text), 0))`,
    { organizationId, credential },
  )
}

/** Returns how many actions of a client wait, and for how long the oldest of them does. */
export async function countPending(trx: Db, organizationId: string, credential: string) {
  const [counted] = await rows<{ pending: number; nextSeconds: number }>(
    trx,
    `select count(*) as pending,
            coalesce(ceil(extract(epoch from min(expires_at) - (select service_now()))), 0)::int as next_seconds
       from mcp_actions where organization_id = :organizationId and credential = :credential and state = 'pending'
        and expires_at > (select service_now())`,
    { organizationId, credential },
  )
  return counted ?? { pending: 0, nextSeconds: 0 }
}

/** Stores an action that waits. */
export async function insertAction(trx: Db, action: NewAction): Promise<void> {
  await trx('mcp_actions').insert({
    id: action.id,
    organizationId: action.organizationId,
    connectionId: action.connectionId,
    credential: action.credential,
    tool: action.tool,
    idempotencyKey: action.idempotencyKey,
    argumentsHash: action.argumentsHash,
    argumentsSealed: action.argumentsSealed,
    reason: action.reason,
    summary: action.summary,
    state: 'pending',
    requestedAt: serviceNow(trx),
    expiresAt: serviceNow(trx, action.seconds * 1000),
  })
}

/** Returns the action that a client began with this key, or undefined. */
export async function findByKey(
  db: Db,
  key: Pick<ActionRow, 'organizationId' | 'credential' | 'tool' | 'idempotencyKey'>,
): Promise<ActionRow | undefined> {
  return firstRow<ActionRow>(
    db,
    `${selected} where a.organization_id = :organizationId and a.credential = :credential and a.tool = :tool
        and a.idempotency_key = :idempotencyKey`,
    { ...key },
  )
}

/** Returns one action of an organization, or undefined. */
export async function findAction(db: Db, organizationId: string, id: string): Promise<ActionRow | undefined> {
  return firstRow<ActionRow>(db, `${selected} where a.organization_id = :organizationId and a.id = :id`, {
    organizationId,
    id,
  })
}

/** Returns the latest actions of an organization, or of the connections of one person. */
export async function listActions(
  db: Db,
  organizationId: string,
  filter: { readonly state: ActionState | null; readonly userId: string | null },
): Promise<ActionRow[]> {
  return rows<ActionRow>(
    db,
    `select * from (${selected} where a.organization_id = :organizationId
        and (:userId::uuid is null or n.user_id = :userId::uuid)) as listed
      where :state::text is null or state = :state
      order by requested_at desc, id limit 100`,
    { organizationId, ...filter },
  )
}

/**
 * Writes the decision about an action that still waits. An approved one belongs to this process for a minute. Returns
 * whether it was written.
 */
export async function decideAction(
  trx: Db,
  organizationId: string,
  { id, state, decidedBy }: { readonly id: string; readonly state: 'approved' | 'denied'; readonly decidedBy: string },
): Promise<boolean> {
  const decided = await rows(
    trx,
    `update mcp_actions
        set state = :state, decided_by = :decidedBy, decided_at = (select service_now()),
            carried_out_by = case when :state = 'approved' then (select service_now()) + interval '1 min' end,
            arguments_sealed = case when :state = 'approved' then arguments_sealed end
      where organization_id = :organizationId and id = :id and state = 'pending' and expires_at > (select service_now())
      returning id`,
    { organizationId, id, state, decidedBy },
  )
  if (decided.length > 0) afterCommit(trx, 'decisions')
  return decided.length > 0
}

const isUnfinished = `state = 'approved' and carried_out_by < (select service_now())
  and ${notMoving('organization_id')}`
/** SQL condition: whether there are approved actions to finish. */
export const hasUnfinishedActions = anyRow(`mcp_actions where ${isUnfinished} order by expires_at`)

/** Takes approved actions whose process ended before they were carried out, for a minute each. */
export async function takeUnfinished(db: Db, limit: number): Promise<ActionRow[]> {
  const taken = await rows<{ id: string; organizationId: string }>(
    db,
    `update mcp_actions set carried_out_by = (select service_now()) + interval '1 min'
      where id in (select id from mcp_actions where ${isUnfinished}
                    order by expires_at limit :limit for update skip locked)
      returning id, organization_id`,
    { limit },
  )
  const found = await Promise.all(taken.map(({ id, organizationId }) => findAction(db, organizationId, id)))
  return found.filter((action) => action !== undefined)
}

/** Writes what became of an approved action, and erases its arguments. */
export async function finishAction(
  db: Db,
  organizationId: string,
  { id, state, result }: { readonly id: string; readonly state: 'done' | 'failed'; readonly result: object },
): Promise<void> {
  await db('mcp_actions')
    .where({ organizationId, id, state: 'approved' })
    .update({ state, result: JSON.stringify(result), argumentsSealed: null, carriedOutBy: null })
  afterCommit(db, 'decisions')
}

/** Notes up to `limit` actions that expired, and deletes those older than `days`. Returns how many there were. */
export async function endExpiredActions(db: Db, days: number, limit = 5000): Promise<number> {
  const expired = await rows(
    db,
    `update mcp_actions set state = 'expired', arguments_sealed = null
      where id in (select id from mcp_actions where state = 'pending' and expires_at <= (select service_now())
          limit :limit)
      returning id`,
    { limit },
  )
  if (expired.length > 0) afterCommit(db, 'decisions')
  const old = db('mcp_actions')
    .select('id')
    .where('requestedAt', '<', serviceNow(db, -days * 24 * 60 * 60 * 1000))
    .limit(limit)
  return expired.length + (await db('mcp_actions').whereIn('id', old).delete())
}
