import { invalidField } from '#platform/errors.ts'

const form = /^1\.(\d{1,15})$/
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The place of a reader in the event log: after a position, or after the event with an id. */
export type CursorPosition = { readonly position: number } | { readonly eventId: string }

/** Returns the opaque cursor of a position, for `nextCursor`. */
export function formatCursor(position: number): string {
  return Buffer.from(`1.${position}`).toString('base64url')
}

/** Parses a `nextCursor` or the id of an event. Throws VALIDATION_ERROR for `after` if it is neither. */
export function parseCursor(text: string): CursorPosition {
  if (uuid.test(text)) return { eventId: text }
  const position = form.exec(Buffer.from(text, 'base64url').toString('latin1'))?.[1]
  if (position === undefined || formatCursor(Number(position)) !== text)
    throw invalidField('after', 'must be the nextCursor of an earlier response, or the id of an event')
  return { position: Number(position) }
}
