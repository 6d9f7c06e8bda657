import type { Contract } from '@msgctl/contract'
import { apiError, invalidField } from '../errors.ts'
import type { Handlers } from '../http/handler.ts'
import type { Services } from '../services.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { countMessages, findMessage, listMessages, toldAttempts } from './store.ts'
import { messageView, timelineOf } from './view.ts'

export const messageHandlers = {
  async list({ caller, query }, { db }) {
    const place = query.cursor === undefined ? null : readCursor(query.cursor)
    if (query.cursor !== undefined && !place) throw invalidField('cursor', 'is not a nextCursor of this list')
    const filter = {
      organizationId: caller.organizationId,
      type: query.type ?? null,
      status: query.status ?? null,
      search: query.search || null,
    }
    const { page, limit } = query
    const [total, found] = await Promise.all([
      countMessages(db, filter),
      // One row more than asked for tells whether there is a next page.
      listMessages(db, filter, { limit: limit + 1, offset: (page - 1) * limit, place }),
    ])
    const shown = found.slice(0, limit)
    const last = shown.at(-1)
    const nextCursor = found.length > limit && last ? writeCursor(last) : null
    return { total, page, limit, messages: shown.map(messageView), nextCursor }
  },

  async get({ caller, params }, services) {
    return messageWithTimeline(services, caller.organizationId, params.id, null)
  },
} satisfies Partial<Handlers<Contract['messages']>>

/**
 * One message and its timeline; with `containerId` only a message of that number. Throws MESSAGE_NOT_FOUND, in the same
 * words for a message of somebody else.
 */
export async function messageWithTimeline(
  { db }: Pick<Services, 'db'>,
  organizationId: string,
  id: string,
  containerId: string | null,
) {
  const row = await findMessage(db, organizationId, id, containerId)
  if (!row) throw apiError('MESSAGE_NOT_FOUND', 'There is no such message.')
  return { message: messageView(row), timeline: timelineOf(row, await toldAttempts(db, organizationId, id)) }
}
