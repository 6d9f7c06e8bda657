import type { MessagesListInput } from '@msgctl/client'
import { messageStatuses } from '@msgctl/contract/states'

/** The filter of the list of messages, as it stands in the address. */
export interface MessageFilter {
  readonly status: string
  readonly type: string
  readonly search: string
  readonly containerId: string
  readonly campaignId: string
  /** The last hours, as a number. */
  readonly hours: string
}

const names = ['status', 'type', 'search', 'containerId', 'campaignId', 'hours'] as const
const types = ['alert', 'bulk', 'otp'] as const
const hourMs = 3_600_000

/** Returns the filter in a query. */
export function filterOf(query: Readonly<Record<string, string>>): MessageFilter {
  const [status = '', type = '', search = '', containerId = '', campaignId = '', hours = ''] = names.map(
    (name) => query[name] ?? '',
  )
  return { status, type, search, containerId, campaignId, hours }
}

/** Returns the query of a filter, with a `?` if there is one. */
export function queryOf(filter: MessageFilter): string {
  const query = new URLSearchParams(names.flatMap((name) => (filter[name] ? [[name, filter[name]]] : [])))
  return query.size === 0 ? '' : `?${query}`
}

/**
 * Returns the input of the list for a filter. The time is rounded, so that the same list is not read again and again.
 */
export function inputOf(filter: MessageFilter, now: number): MessagesListInput {
  const status = messageStatuses.find((each) => each === filter.status)
  const type = types.find((each) => each === filter.type)
  const hours = Number(filter.hours)
  const search = filter.search.trim()
  return {
    ...(status ? { status } : {}),
    ...(type ? { type } : {}),
    ...(search ? { search } : {}),
    ...(filter.containerId ? { containerId: filter.containerId } : {}),
    ...(filter.campaignId ? { campaignId: filter.campaignId } : {}),
    ...(hours > 0 ? { since: new Date(now - hours * hourMs).toISOString() } : {}),
  }
}

/** Whether a filter leaves anything out. */
export function isFiltered(filter: MessageFilter): boolean {
  return names.some((name) => filter[name] !== '')
}
