import { deleteOrphanImports } from '#conversations/contacts/import-task-store.ts'
import { deleteOrphanChats } from '#conversations/records/cleanup-store.ts'
import type { Db } from '#platform/db/db.ts'

/**
 * Deletes what numbers that were removed have left: imports, and a batch of chats. Returns 0 when no chats are left.
 */
export async function deleteOrphans(db: Db): Promise<number> {
  await deleteOrphanImports(db)
  return deleteOrphanChats(db)
}
