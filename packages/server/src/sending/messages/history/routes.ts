import { type Contract, limits } from '@msgctl/contract'
import type { Handlers } from '#api/http/handler.ts'
import { countHeld } from '#numbers/guard/guard-store.ts'
import { apiError, invalidField } from '#platform/errors.ts'
import type { Services } from '#services.ts'
import { countByType, countRecent, listHours } from './counter-store.ts'
import { toStats } from './counts.ts'
import { listMessages } from './list.ts'
import { findQueuePosition } from './queue-store.ts'
import { findMessage, listReportedAttempts } from './store.ts'
import { buildTimeline, messageView, queueView } from './view.ts'

const dayMs = 24 * 60 * 60 * 1000

/** Responds with the counts by hour. Throws VALIDATION_ERROR for a span that ends before it begins, or is too long. */
const countHours: Handlers<Contract['messages']>['hours'] = async ({ caller, query }, { db, clock }) => {
  const to = query.to === undefined ? clock.now() : new Date(query.to)
  const from = query.from === undefined ? new Date(to.getTime() - dayMs) : new Date(query.from)
  if (from > to) throw invalidField('from', 'must not be after to')
  if (to.getTime() - from.getTime() > limits.statsDays * dayMs) {
    throw invalidField('from', `must be at most ${limits.statsDays} days before to`)
  }
  const hours = await listHours(db, caller.organizationId, { from, to, type: query.type ?? null })
  return { hours: hours.map(({ hour, ...counts }) => ({ hour: hour.toISOString(), ...counts })) }
}

export const messageHandlers = {
  async list({ caller, query }, services) {
    return listMessages(services, caller.organizationId, query)
  },

  async stats({ caller }, { db }) {
    const { organizationId } = caller
    const [counts, recent, held] = await Promise.all([
      countByType(db, organizationId),
      countRecent(db, organizationId),
      countHeld(db, organizationId),
    ])
    return toStats(counts, recent, held)
  },

  hours: countHours,

  async get({ caller, params }, services) {
    return messageWithTimeline(services, caller.organizationId, params.id, null)
  },
} satisfies Partial<Handlers<Contract['messages']>>

/**
 * Returns one message and its timeline; with `containerId` only a message of that number. Throws MESSAGE_NOT_FOUND,
 * also for a message of another organization.
 */
export async function messageWithTimeline(
  { db }: Pick<Services, 'db'>,
  organizationId: string,
  id: string,
  containerId: string | null,
) {
  const row = await findMessage(db, organizationId, id, containerId)
  if (!row) throw apiError('MESSAGE_NOT_FOUND', 'There is no such message.')
  const timeline = buildTimeline(row, await listReportedAttempts(db, organizationId, id))
  const queue = row.status === 'queued' ? await findQueuePosition(db, organizationId, id, limits.queueAhead) : undefined
  return { message: messageView(row), timeline, ...(queue && { queue: queueView(queue) }) }
}
