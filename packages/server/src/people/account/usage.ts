import { type Contract, limits } from '@msgctl/contract'
import { changeLimitState } from '#api/access/rate-limit.ts'
import type { Handlers } from '#api/http/handler.ts'
import { countOpenStreams } from '#events/stream-lease-store.ts'
import { computeAllowance } from '#numbers/allowance.ts'
import { readCheckUse } from '#numbers/recipients/check-use.ts'
import { findExtra } from '#numbers/records/store.ts'
import { trialState } from '#sending/messages/trial.ts'

/** Responds with what the caller's organization uses of what has a limit. */
export const accountUsage: Handlers<Contract['account']>['usage'] = async ({ caller }, services) => {
  const { db, clock, config } = services
  const { organizationId } = caller
  const [changes, trial, bought, open, recipientChecks] = await Promise.all([
    config.changeLimit ? changeLimitState(db, organizationId) : null,
    trialState(db, clock, caller),
    findExtra(db, organizationId),
    countOpenStreams(db, organizationId),
    readCheckUse(services, organizationId),
  ])
  const used = recipientChecks.numbers.length
  return {
    changes,
    trial,
    numbers: { used, limit: computeAllowance(caller.products, bought.extra, used).maxSessions },
    streams: {
      events: { open: open.events, limit: limits.events.streams },
      overview: { open: open.overview, limit: limits.overview.streams },
    },
    recipientChecks,
  }
}
