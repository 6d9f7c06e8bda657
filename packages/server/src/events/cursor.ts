import { invalidField } from '../errors.ts'

const form = /^1\.(\d{1,15})$/
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Where a reader of the event log is: behind a position, or behind the event of an id. */
export type CursorPosition = { readonly position: number } | { readonly eventId: string }

/** The opaque text of a position, for `nextCursor`. */
export function formatCursor(position: number): string {
  return Buffer.from(`1.${position}`).toString('base64url')
}

/** Reads a `nextCursor` or the id of an event. Throws VALIDATION_ERROR for `after` when it is neither. */
export function parseCursor(text: string): CursorPosition {
  if (uuid.test(text)) return { eventId: text }
  const position = form.exec(Buffer.from(text, 'base64url').toString('latin1'))?.[1]
  if (position === undefined || formatCursor(Number(position)) !== text)
    throw invalidField('after', 'must be a nextCursor of an earlier answer, or the id of an event')
  return { position: Number(position) }
}
