import { type Db, rows } from '../db/db.ts'

/** A number whose recent chats shall be read. */
export interface ImportTask {
  readonly organizationId: string
  readonly containerId: string
  /** The want that is worked on: a newer one starts over. */
  readonly requestedAt: Date
  /** Chats that are younger were read already. */
  readonly reachedAt: Date | null
}

/** Takes one import that is due, for `leaseSeconds`: after that it is due again. */
export async function claimImport(db: Db, leaseSeconds: number): Promise<ImportTask | undefined> {
  const [taken] = await rows<ImportTask>(
    db,
    `update history_imports i set due_at = (select service_now()) + :leaseSeconds * interval '1 second', attempts = attempts + 1
      where container_id = (
        select container_id from history_imports
         where requested_at is not null and due_at <= (select service_now()) order by due_at limit 1 for update skip locked)
     returning organization_id as "organizationId", container_id as "containerId", requested_at as "requestedAt",
               reached_at as "reachedAt"`,
    { leaseSeconds },
  )
  return taken
}

const sameTask = `container_id = :containerId and organization_id = :organizationId and requested_at = :requestedAt`

function idOf({ organizationId, containerId, requestedAt }: ImportTask) {
  return { organizationId, containerId, requestedAt }
}

/** Notes how far an import has come; a try that gets on, behind the chat where the last one stood, is no failed one. */
export async function writeReached(db: Db, task: ImportTask, reachedAt: Date): Promise<void> {
  await rows(
    db,
    `update history_imports
        set attempts = case when reached_at = :reachedAt then attempts else 1 end, reached_at = :reachedAt
      where ${sameTask}`,
    { ...idOf(task), reachedAt },
  )
}

/** Ends an import that read all it should. */
export async function endImport(db: Db, task: ImportTask): Promise<void> {
  await rows(
    db,
    `update history_imports
        set requested_at = null, due_at = null, reached_at = null, attempts = 0, imported_at = (select service_now())
      where ${sameTask}`,
    idOf(task),
  )
}

/** Makes an import that did not come to its end in one run due again at once. */
export async function continueImport(db: Db, task: ImportTask): Promise<void> {
  await rows(db, `update history_imports set due_at = (select service_now()) where ${sameTask}`, idOf(task))
}

/**
 * Makes an import whose try failed due again after 30 s, and twice as long each time, or gives it up after `maxAttempts`
 * tries of which none got on.
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
      where ${sameTask}`,
    { ...idOf(task), maxAttempts },
  )
}
