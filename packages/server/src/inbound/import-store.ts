import { type Db, rows } from '../db/db.ts'

/** A number whose recent chats shall be read. */
export interface WantedImport {
  readonly organizationId: string
  readonly containerId: string
  /** The want that is worked on: a newer one starts over. */
  readonly wantedAt: Date
  /** Chats that are younger were read already. */
  readonly reachedAt: Date | null
  readonly attempts: number
}

/** Takes one import that is due, for `leaseSeconds`: after that it is due again. */
export async function takeImport(db: Db, leaseSeconds: number): Promise<WantedImport | undefined> {
  const [taken] = await rows<WantedImport>(
    db,
    `update history_imports i set due_at = (select service_now()) + :leaseSeconds * interval '1 second', attempts = attempts + 1
      where container_id = (
        select container_id from history_imports
         where wanted_at is not null and due_at <= (select service_now()) order by due_at limit 1 for update skip locked)
     returning organization_id as "organizationId", container_id as "containerId", wanted_at as "wantedAt",
               reached_at as "reachedAt", attempts`,
    { leaseSeconds },
  )
  return taken
}

const thisWant = `container_id = :containerId and organization_id = :organizationId and wanted_at = :wantedAt`

function idOf({ organizationId, containerId, wantedAt }: WantedImport) {
  return { organizationId, containerId, wantedAt }
}

/** Notes how far an import has come; a try that gets on is no failed one. */
export async function writeReached(db: Db, wanted: WantedImport, reachedAt: Date): Promise<void> {
  await rows(db, `update history_imports set reached_at = :reachedAt, attempts = 1 where ${thisWant}`, {
    ...idOf(wanted),
    reachedAt,
  })
}

/** Ends an import; `done` says whether it read all it should. */
export async function endImport(db: Db, wanted: WantedImport, done: boolean): Promise<void> {
  await rows(
    db,
    `update history_imports
        set wanted_at = null, due_at = null, reached_at = null, attempts = 0,
            imported_at = case when :done then (select service_now()) else imported_at end
      where ${thisWant}`,
    { ...idOf(wanted), done },
  )
}

/** Makes an import due again after a while. */
export async function postponeImport(db: Db, wanted: WantedImport, seconds: number): Promise<void> {
  await rows(
    db,
    `update history_imports set due_at = (select service_now()) + :seconds * interval '1 second' where ${thisWant}`,
    { ...idOf(wanted), seconds },
  )
}
