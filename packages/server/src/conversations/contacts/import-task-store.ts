import { anyRow } from '#platform/db/any-row.ts'
import { type Db, firstRow, rows, serviceNow } from '#platform/db/db.ts'
import { notMoving } from '#platform/db/moving.ts'

/** A number whose recent chats are to be imported. */
export interface ImportTask {
  readonly organizationId: string
  readonly containerId: string
  /** The request that is processed: a later one starts over. */
  readonly requestedAt: Date
  /** Newer chats have been read already. */
  readonly reachedAt: Date | null
}

const isDue = `requested_at is not null and due_at <= (select service_now()) and ${notMoving('organization_id')}`
/** SQL condition: whether there are imports that are due. */
export const hasDueImports = anyRow(`history_imports where ${isDue} order by due_at`)

/** Claims one import that is due, for `leaseSeconds`. */
export async function claimImport(db: Db, leaseSeconds: number): Promise<ImportTask | undefined> {
  return firstRow<ImportTask>(
    db,
    `update history_imports i set due_at = (select service_now()) + :leaseSeconds * interval '1 second',
      attempts = attempts + 1
      where container_id = (
        select container_id from history_imports
         where ${isDue}
         order by due_at limit 1 for update skip locked)
     returning organization_id, container_id, requested_at, reached_at`,
    { leaseSeconds },
  )
}

/** Selects the row of a task, unless a later request has replaced it. */
function selectTask(db: Db, { organizationId, containerId, requestedAt }: ImportTask) {
  return db('history_imports').where({
    containerId,
    organizationId,
    requestedAt,
  })
}

/** Stores how far an import has come. Progress beyond the last attempt's chat restarts the count of attempts. */
export async function writeReached(db: Db, task: ImportTask, reachedAt: Date): Promise<void> {
  await rows(
    db,
    `update history_imports
        set attempts = case when reached_at = :reachedAt then attempts else 1 end, reached_at = :reachedAt
      where container_id = :containerId and organization_id = :organizationId and requested_at = :requestedAt`,
    { ...task, reachedAt },
  )
}

/** Ends an import that is complete. */
export async function endImport(db: Db, task: ImportTask): Promise<void> {
  const imported = { requestedAt: null, dueAt: null, reachedAt: null, attempts: 0, importedAt: serviceNow(db) }
  await selectTask(db, task).update(imported)
}

/** Makes an import that one run could not complete due again at once. */
export async function continueImport(db: Db, task: ImportTask): Promise<void> {
  await selectTask(db, task).update({ dueAt: serviceNow(db) })
}

/**
 * Makes a failed import due again after 30 s, then twice as long each time. After `maxAttempts` attempts without
 * progress the import is given up.
 */
export async function failImport(db: Db, task: ImportTask, maxAttempts: number): Promise<void> {
  await rows(
    db,
    `update history_imports
        set requested_at = case when attempts < :maxAttempts then requested_at end,
            due_at = case when attempts < :maxAttempts
                          then (select service_now()) + 15 * 2 ^ attempts * interval '1 second' end,
            reached_at = case when attempts < :maxAttempts then reached_at end,
            attempts = case when attempts < :maxAttempts then attempts else 0 end
      where container_id = :containerId and organization_id = :organizationId and requested_at = :requestedAt`,
    { ...task, maxAttempts },
  )
}

/** Deletes the imports of numbers that were removed, of all organizations. */
export async function deleteOrphanImports(db: Db): Promise<void> {
  await rows(db, 'delete from history_imports i where not exists (select from numbers n where n.id = i.container_id)')
}
