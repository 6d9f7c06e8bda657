import { deleteOrphanChats } from '../chats/records/cleanup-store.ts'
import { deleteOrphanImports } from '../contacts/import-task-store.ts'
import type { Db } from '../db/db.ts'

/** Deletes what numbers that were removed have left: imports, and a batch of chats. Returns 0 when no chats are left. */
export async function deleteOrphans(db: Db): Promise<number> {
  await deleteOrphanImports(db)
  return deleteOrphanChats(db)
}
