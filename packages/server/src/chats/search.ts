import type { Db } from '../db/db.ts'
import { recipientPart } from '../messages/history/search.ts'
import { type ChatRow, listChats, type NumberScope, searchAll, searchNewest } from './list-store.ts'

/** What is frequent is found among so many of the newest conversations; what is rare, by its people. */
const newestFirst = 300

/** The conversations of a number whose person has a name or number that holds what was typed, newest first. */
export async function searchChats(db: Db, scope: NumberScope, typed: string, limit: number): Promise<ChatRow[]> {
  if (typed.trim() === '') return listChats(db, scope, limit)
  const search = { name: typed.normalize('NFC'), number: recipientPart(typed), limit }
  const newest = await searchNewest(db, scope, { ...search, among: newestFirst })
  return newest.length === limit ? newest : searchAll(db, scope, search)
}
