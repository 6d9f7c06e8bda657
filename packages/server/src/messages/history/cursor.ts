import type { HistoryPlace } from './list-store.ts'

const placeForm = /^(\d{4}-\d{2}-\d{2}T[\d:.]{8,12}Z) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/** The opaque text that stands for a row as the end of a page. */
export function writeCursor(row: { readonly createdAt: Date; readonly id: string }): string {
  return Buffer.from(`${row.createdAt.toISOString()} ${row.id}`).toString('base64url')
}

/** The place a cursor stands for, or null when the text is none of ours. */
export function readCursor(cursor: string): HistoryPlace | null {
  const [, createdAt, id] = placeForm.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (!createdAt || !id || !isInstant(createdAt)) return null
  return { createdAt, id }
}

/** Whether it is an instant as we write it: JavaScript also reads the 31st of February, and a year 0 that Postgres does not know. */
function isInstant(text: string): boolean {
  const at = new Date(text)
  return !Number.isNaN(at.getTime()) && at.getUTCFullYear() >= 1 && at.toISOString() === text
}
