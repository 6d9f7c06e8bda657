import type { Actor } from '#api/activity/log.ts'
import { crashPoint } from '#platform/crash-points.ts'
import { anyRow } from '#platform/db/any-row.ts'
import { type Db, rows, serviceNow } from '#platform/db/db.ts'
import { notMoving } from '#platform/db/moving.ts'
import type { Row } from '#platform/db/tables.ts'

/** What is done at the provider. `end` follows a deletion, `customer` a new owner or name. */
export type OperationKind = 'checkout' | 'change' | 'cancel' | 'resume' | 'end' | 'customer'

/** A change at the provider, as it was committed before the first call. */
export interface Operation extends Omit<Row<'billing_operations'>, 'kind' | 'actorKind' | 'state' | 'finishedAt'> {
  readonly kind: OperationKind
  readonly actorKind: Actor['kind']
}

const columns = 'id, organization_id, kind, request, actor_kind, actor_id, provider_ref, waits_until, created_at'

/** Stores an operation before its first call. */
export async function insertOperation(
  db: Db,
  {
    actor,
    request,
    ...operation
  }: { id: string; organizationId: string; kind: OperationKind; request: object; actor: Actor },
): Promise<void> {
  await rows(
    db,
    `insert into billing_operations (id, organization_id, kind, request, actor_kind, actor_id, created_at)
     values (:id, :organizationId, :kind, :request::jsonb, :actorKind, :actorId::uuid, service_now())`,
    { ...operation, request: JSON.stringify(request), actorKind: actor.kind, actorId: actor.id },
  )
}

/** Writes how an operation ended. */
export async function finishOperation(
  trx: Db,
  organizationId: string,
  id: string,
  state: 'done' | 'refused',
  providerRef: string | null = null,
): Promise<void> {
  await rows(
    trx,
    `update billing_operations set state = :state, provider_ref = coalesce(:providerRef, provider_ref),
            finished_at = (select service_now()), waits_until = null
      where organization_id = :organizationId and id = :id and state = 'started'`,
    { organizationId, id, state, providerRef },
  )
  if (state === 'done') crashPoint('billing.applied-before-commit')
}

/** Writes that the rest of an operation waits for a payment. */
export async function writeWaiting(db: Db, organizationId: string, id: string, until: Date): Promise<void> {
  await db('billing_operations').where({ organizationId, id }).update({ waitsUntil: until })
}

/** Returns the operations of an organization that have not ended, the oldest first. */
export async function listOpenOperations(db: Db, organizationId: string): Promise<Operation[]> {
  return rows<Operation>(
    db,
    `select ${columns} from billing_operations
      where organization_id = :organizationId and state = 'started' order by created_at, id`,
    { organizationId },
  )
}

const isLeft = `state = 'started' and created_at <= (select service_now()) - interval '60 seconds'
           and (waits_until is null or waits_until <= (select service_now())) and ${notMoving('organization_id')}`
/** SQL condition: whether there are operations that were cut off, or that no caller waits for. */
export const hasLeftOperations = anyRow(
  `billing_operations where (${isLeft} or state = 'started' and actor_kind = 'payments') order by created_at`,
)

/** Returns organizations with operations that were cut off, or that no caller waits for. */
export async function listLeftOperations(db: Db, limit: number): Promise<{ readonly organizationId: string }[]> {
  return rows(
    db,
    `select organization_id from billing_operations
      where ${isLeft} or state = 'started' and actor_kind = 'payments' and ${notMoving('organization_id')}
      group by organization_id order by min(created_at) limit :limit`,
    { limit },
  )
}

/**
 * Gives up every change that has not ended, of all organizations: those of a backup. What follows from a deletion or a
 * new owner stays. Returns how many.
 */
export async function dropOperations(trx: Db): Promise<number> {
  return trx('billing_operations')
    .where({ state: 'started' })
    .whereIn('kind', ['checkout', 'change', 'cancel', 'resume'])
    .update({ state: 'refused', finishedAt: serviceNow(trx) })
}

/** Returns whether the provider has yet to learn that an organization was deleted. */
export async function hasOpenEnd(db: Db, organizationId: string): Promise<boolean> {
  const found = await rows(
    db,
    `select 1 as open from billing_operations
      where organization_id = :organizationId and kind = 'end' and state = 'started' limit 1`,
    { organizationId },
  )
  return found.length > 0
}

/** Deletes up to `limit` operations that are older than `days`. Returns how many there were. */
export async function deleteExpiredOperations(db: Db, days: number, limit = 5000): Promise<number> {
  const deleted = await rows(
    db,
    `delete from billing_operations where id in (
       select id from billing_operations
        where created_at < (select service_now()) - :days::int * interval '1 day' and state <> 'started' limit :limit)
     returning id`,
    { days, limit },
  )
  return deleted.length
}
