import { type Contract, limits } from '@msgctl/contract'
import type { Handlers } from '#api/http/handler.ts'
import { invalidField } from '#platform/errors.ts'
import { listHours } from './counter-store.ts'

const dayMs = 24 * 60 * 60 * 1000

/** Responds with the counts by hour. Throws VALIDATION_ERROR for a span that ends before it begins, or is too long. */
export const countHours: Handlers<Contract['messages']>['hours'] = async ({ caller, query }, { db, clock }) => {
  const to = query.to === undefined ? clock.now() : new Date(query.to)
  const from = query.from === undefined ? new Date(to.getTime() - dayMs) : new Date(query.from)
  if (from > to) throw invalidField('from', 'must not be after to')
  if (to.getTime() - from.getTime() > limits.statsDays * dayMs) {
    throw invalidField('from', `must be at most ${limits.statsDays} days before to`)
  }
  const hours = await listHours(db, caller.organizationId, { from, to, type: query.type ?? null })
  return { hours: hours.map(({ hour, ...counts }) => ({ hour: hour.toISOString(), ...counts })) }
}
