import { type Contract, limits } from '@msgctl/contract'
import { changeLimitState } from '#api/access/rate-limit.ts'
import type { Handlers } from '#api/http/handler.ts'
import { trialState } from '#sending/messages/trial.ts'

/** Responds with the limits of the caller's organization and what is left of them. */
export const accountLimits: Handlers<Contract['account']>['limits'] = async ({ caller }, { db, clock, config }) => {
  const [changes, trial] = await Promise.all([
    config.changeLimit ? changeLimitState(db, caller.organizationId) : null,
    trialState(db, clock, caller),
  ])
  return {
    changes,
    texts: { perNumberPerMinute: limits.textsPerNumberPerMinute },
    campaigns: limits.campaign,
    otp: { perOrganizationPerMinute: limits.otp.perOrganizationPerMinute },
    trial,
  }
}
