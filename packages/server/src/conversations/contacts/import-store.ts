import { type Db, rows } from '#platform/db/db.ts'
import { afterCommit } from '#platform/db/wake.ts'
import type { ContactScope } from './store.ts'

/** The state of the history imports of numbers. */
export interface ImportState {
  readonly historyImportedAt: Date | null
  readonly importing: boolean
}

/**
 * Returns the state of the imports of an organization or of one number, without those of removed numbers. A phone that
 * has not reported progress for an hour no longer counts as importing.
 */
export async function readImports(db: Db, { organizationId, containerId }: ContactScope): Promise<ImportState> {
  const [state] = await rows<ImportState>(
    db,
    `select max(imported_at) as history_imported_at,
            coalesce(bool_or(requested_at is not null or phone_busy_at > (select service_now()) - interval '1 hour'),
                false) as importing
       from history_imports i
      where organization_id = :organizationId and (:containerId::uuid is null or container_id = :containerId)
        and exists (select from numbers n where n.organization_id = i.organization_id and n.id = i.container_id)`,
    { organizationId, containerId },
  )
  return state ?? { historyImportedAt: null, importing: false }
}

/** Requests an import of the recent chats of a number. A running import starts over once. */
export async function requestImport(db: Db, number: { organizationId: string; containerId: string }): Promise<void> {
  await rows(
    db,
    `insert into history_imports as i (container_id, organization_id, requested_at, due_at)
     select :containerId, :organizationId, t.at, t.at from (select service_now() as at) t
     on conflict (container_id) do update
        set requested_at = excluded.requested_at, reached_at = null, attempts = 0,
            due_at = coalesce(i.due_at, excluded.due_at)`,
    number,
  )
  afterCommit(db, 'imports')
}

/** How far a phone is with the transfer of its history. */
export interface PhoneProgress {
  readonly organizationId: string
  readonly containerId: string
  readonly at: Date
  readonly done: boolean
}

/** Stores how far phones are with the transfer of their histories; each number at most once. */
export async function writePhoneProgress(db: Db, reports: readonly PhoneProgress[]): Promise<void> {
  const sorted = reports.toSorted((a, b) => (a.containerId < b.containerId ? -1 : 1))
  await rows(
    db,
    `insert into history_imports as i (container_id, organization_id, phone_busy_at, imported_at)
     select container_id, organization_id, case when not p.done then p.at end, case when p.done then p.at end
       from unnest(:containers::uuid[], :organizations::uuid[], :ats::timestamptz[], :dones::boolean[])
            as p(container_id, organization_id, at, done)
     on conflict (container_id) do update
        set imported_at = greatest(i.imported_at, excluded.imported_at),
            phone_busy_at = case when excluded.imported_at is not null
                                 then case when i.phone_busy_at > excluded.imported_at then i.phone_busy_at end
                                 when i.imported_at >= excluded.phone_busy_at then i.phone_busy_at
                                 else greatest(i.phone_busy_at, excluded.phone_busy_at) end`,
    {
      containers: sorted.map(({ containerId }) => containerId),
      organizations: sorted.map(({ organizationId }) => organizationId),
      ats: sorted.map(({ at }) => at),
      dones: sorted.map(({ done }) => done),
    },
  )
}
