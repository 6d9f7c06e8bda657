import { toSearchParts } from '#conversations/contacts/view.ts'
import type { Db } from '#platform/db/db.ts'
import { type ChatPage, type ChatRow, listChats, type NumbersScope, searchAll, searchNewest } from './list-store.ts'

/** So many of the newest chats are searched first: they say how often the text occurs. */
const newestFirst = 300
/**
 * Matches that are expected among this many of the newest chats are searched there; rarer ones by the index of
 * contacts.
 */
const mostAmong = 10_000
/** The chats that are searched, against those that are expected to be necessary. */
const reserve = 2

/** Returns the chats of numbers whose contact has a name or number that contains `typed`, newest first. */
export async function searchChats(db: Db, scope: NumbersScope, typed: string, page: ChatPage): Promise<ChatRow[]> {
  if (typed.trim() === '') return listChats(db, scope, page)
  const search = { ...toSearchParts(typed), ...page }
  const newest = await searchNewest(db, scope, { ...search, among: newestFirst })
  if (newest.length === page.limit) return newest
  const among = Math.ceil(((page.limit * newestFirst) / newest.length) * reserve)
  const more = among <= mostAmong ? await searchNewest(db, scope, { ...search, among }) : newest
  return more.length === page.limit ? more : searchAll(db, scope, search)
}
