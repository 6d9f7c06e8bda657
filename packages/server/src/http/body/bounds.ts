import { limits, type Route } from '@msgctl/contract'
import type { ScanBounds } from './scan.ts'

/** How large the body of one route may be. */
export interface RouteBounds extends ScanBounds {
  readonly maxBytes: number
}

const bulk = {
  maxBytes: limits.bulkBodyBytes,
  marks: limits.bodyMarks,
  lists: {
    marks: limits.bulkListMarks,
    entryMarks: limits.bulkEntryMarks,
    entries: limits.bulkEntries,
    textBytes: limits.bulkTextBytes,
  },
}
const open = { maxBytes: limits.publicBodyBytes, marks: limits.publicBodyMarks }
/** The bounds of a body that is not in bulk, of a caller who is known. */
export const ordinary = { maxBytes: limits.bodyBytes, marks: limits.bodyMarks }

/** The bounds of a route's body. Routes that need no credentials get little. */
export function bodyBoundsOf({ access, bulk: isBulk }: Route): RouteBounds {
  if (access.keys === 'public') return open
  return isBulk ? bulk : ordinary
}
