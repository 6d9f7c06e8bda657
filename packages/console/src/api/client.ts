import { MessagingClient } from '@msgctl/client'
import { type Query, QueryCache, QueryClient } from '@tanstack/preact-query'
import { failureOf } from './failure.ts'
import { apiUrl } from './place.ts'
import { createStore } from './store.ts'

/**
 * The session cookie counts only with this header, which no form and no foreign page can send. It also says how the
 * page was loaded: over https only the cookie that no sibling of the host can plant counts.
 */
export const ownHeaders = { 'x-requested-by': location.protocol === 'https:' ? 'console-https' : 'console' }

/** The options of every client of this page. The page never holds the session itself: it is a cookie. */
export const clientOptions = {
  baseUrl: apiUrl,
  headers: ownHeaders,
  idempotency: 'trusted',
  maxRetries: 1,
} as const

export const api = new MessagingClient(clientOptions)

/** Whether the service has refused the session. Sign-in is then shown over the page, which stays as it was. */
export const signedOut = createStore(false)

/** Remembers that the session ended, if that is why a call failed. */
export function noticeSignOut(error: unknown): void {
  if (failureOf(error).code === 'AUTH_ERROR') signedOut.set(true)
}

export const queries = new QueryClient({
  queryCache: new QueryCache({ onError: noticeSignOut }),
  defaultOptions: { queries: { retry: false, staleTime: 5_000 } },
})

/** Lists with more pages than this read only their newest page again, if they can (see {@link newestMeta}). */
export const mostPages = 5

/** Marks a list of pages that reads its newest page by itself once it is long. */
export const newestMeta = { readsNewest: true } as const

function isLong({ meta, state }: Query): boolean {
  const { pages = [] } = (state.data ?? {}) as { readonly pages?: readonly unknown[] }
  return meta?.readsNewest === true && pages.length > mostPages
}

/** Marks what the page has read under these keys as stale. What is not shown is not read again. */
export function refresh(...names: readonly string[]): void {
  for (const name of names) void queries.invalidateQueries({ queryKey: [name], predicate: (query) => !isLong(query) })
}
