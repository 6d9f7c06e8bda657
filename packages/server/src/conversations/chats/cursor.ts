import { invalidField } from '#platform/errors.ts'
import type { ChatPlace, ChatRow } from './list-store.ts'

const form = /^(\d{1,16}) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/** Returns the opaque cursor of the page after a chat. */
export function writeCursor({ lastMicros, contactId }: ChatRow): string {
  return Buffer.from(`${lastMicros} ${contactId}`).toString('base64url')
}

/** Reads a cursor of the list of chats. Throws VALIDATION_ERROR for any other text. */
export function readCursor(cursor: string): ChatPlace {
  const [, micros, contactId] = form.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? []
  if (micros === undefined || contactId === undefined || !Number.isSafeInteger(Number(micros))) {
    throw invalidField('cursor', 'must be a nextCursor of this list')
  }
  return { lastMicros: Number(micros), contactId }
}
