import { toSearchParts } from '../contacts/view.ts'
import type { Db } from '../db/db.ts'
import { type ChatPage, type ChatRow, listChats, type NumbersScope, searchAll, searchNewest } from './list-store.ts'

/** Frequent matches are found among this many of the newest chats; rare ones by the index of contacts. */
const newestFirst = 300

/** Returns the chats of numbers whose contact has a name or number that contains `typed`, newest first. */
export async function searchChats(db: Db, scope: NumbersScope, typed: string, page: ChatPage): Promise<ChatRow[]> {
  if (typed.trim() === '') return listChats(db, scope, page)
  const search = { ...toSearchParts(typed), ...page }
  const newest = await searchNewest(db, scope, { ...search, among: newestFirst })
  return newest.length === page.limit ? newest : searchAll(db, scope, search)
}
