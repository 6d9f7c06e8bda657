import type { HistoryPlace } from './list-store.ts'

const placeForm = /^(\d{4}-\d{2}-\d{2}T[\d:.]{8,12}Z) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/** Returns the opaque text of the last row of a page. */
export function writeCursor(row: { readonly createdAt: Date; readonly id: string }): string {
  return Buffer.from(`${row.createdAt.toISOString()} ${row.id}`).toString('base64url')
}

/** Returns the place of a cursor, or null when the service did not write it. */
export function readCursor(cursor: string): HistoryPlace | null {
  const [, createdAt, id] = placeForm.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (!createdAt || !id || !isInstant(createdAt)) return null
  return { createdAt, id }
}

/**
 * Returns whether a text is a time as the service writes it. JavaScript also accepts February 31, and a year 0 that
 * Postgres does not have.
 */
function isInstant(text: string): boolean {
  const at = new Date(text)
  return !Number.isNaN(at.getTime()) && at.getUTCFullYear() >= 1 && at.toISOString() === text
}
