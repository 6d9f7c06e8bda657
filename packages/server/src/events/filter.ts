import type { EventKind } from '@msgctl/contract'
import type { LoggedRow } from './log-store.ts'

/** The events to return; null stands for any. */
export interface EventFilter {
  readonly kinds: readonly EventKind[] | null
  readonly containerId: string | null
  readonly campaignId: string | null
  readonly clientReference: string | null
  /** ISO 8601 UTC: events from this time on. */
  readonly since: string | null
  /** ISO 8601 UTC: events before this time. */
  readonly until: string | null
}

const fields = ['containerId', 'campaignId', 'clientReference'] as const

/** Returns the filter of a query without `after`, `order` and `limit`. */
export function toEventFilter(query: {
  readonly types?: readonly EventKind[] | undefined
  readonly containerId?: string | undefined
  readonly campaignId?: string | undefined
  readonly clientReference?: string | undefined
  readonly since?: string | undefined
  readonly until?: string | undefined
}): EventFilter {
  return {
    kinds: query.types ?? null,
    containerId: query.containerId ?? null,
    campaignId: query.campaignId ?? null,
    clientReference: query.clientReference ?? null,
    since: query.since ?? null,
    until: query.until ?? null,
  }
}

/** Returns SQL of the conditions that have an index, only those that are given, so that the planner sees them. */
export function indexedConditions(filter: EventFilter): string {
  return fields.map((field) => (filter[field] === null ? '' : ` and data ->> '${field}' = :${field}`)).join('')
}

/** Returns whether an event passes the filter, as the log would find it. */
export function passes(filter: EventFilter, { event, data, happenedAt }: LoggedRow): boolean {
  if (filter.kinds !== null && !filter.kinds.includes(event)) return false
  if (filter.since !== null && happenedAt < new Date(filter.since)) return false
  if (filter.until !== null && happenedAt >= new Date(filter.until)) return false
  const values = data as Partial<Record<(typeof fields)[number], unknown>>
  return fields.every((field) => filter[field] === null || values[field] === filter[field])
}
