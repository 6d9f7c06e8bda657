import { type Contract, limits, listFeatures, products } from '@msgctl/contract'
import { firstKey, keyWarning, nextKey, nextKeyWarning } from '#api/access/key.ts'
import { changeLimitState } from '#api/access/rate-limit.ts'
import { recordActivity, toActor } from '#api/activity/log.ts'
import type { Handlers } from '#api/http/handler.ts'
import { countOpenStreams } from '#events/stream-lease-store.ts'
import { computeAllowance } from '#numbers/allowance.ts'
import { readCheckUse } from '#numbers/recipients/check-use.ts'
import { findExtra } from '#numbers/records/store.ts'
import { simulatedWarning } from '#numbers/records/view.ts'
import { transaction } from '#platform/db/db.ts'
import { apiError } from '#platform/errors.ts'
import { trialState } from '#sending/messages/trial.ts'
import { findAccount } from './store.ts'

/** Responds with what the caller's organization uses of what has a limit. */
const accountUsage: Handlers<Contract['account']>['usage'] = async ({ caller }, services) => {
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

/** Responds with the limits of the caller's organization and what is left of them. */
const accountLimits: Handlers<Contract['account']>['limits'] = async ({ caller }, { db, clock, config }) => {
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

export const accountHandlers = {
  async me({ caller }, { db, clock, config }) {
    const [account, bought, trial] = await Promise.all([
      findAccount(db, caller.organizationId, caller.userId),
      findExtra(db, caller.organizationId),
      trialState(db, clock, caller),
    ])
    // The person has left the organization since the token was read.
    if (!account) throw credentialsEnded('invalid_session')
    return {
      id: account.id,
      name: account.name,
      email: account.email,
      memberRole: caller.role,
      organization: {
        id: account.organizationId,
        name: account.organizationName,
        requireTwoFactor: account.requireTwoFactor,
      },
      products: products.filter((product) => caller.products.has(product)),
      features: listFeatures(caller.products, caller.kind !== 'user'),
      platformAdmin: account.platformAdmin && caller.kind === 'user' && caller.role !== 'member',
      maxNumbers: computeAllowance(caller.products, bought.extra, 0).maxSessions,
      webhookUrl: account.webhookUrl,
      hasApiKey: account.apiKeyPreview !== null,
      apiKeyPreview: account.apiKeyPreview,
      apiKeyLastUsedAt: account.apiKeyLastUsedAt?.toISOString() ?? null,
      trial,
      networkWarning: config.production && config.gateway === 'simulator' ? simulatedWarning : null,
    }
  },

  limits: accountLimits,

  usage: accountUsage,

  async generateKey({ caller }, { db }) {
    return transaction(db, async (trx) => {
      const key = await firstKey(trx, caller.organizationId, null)
      if (!key) {
        throw apiError('CONFLICT', 'There is an account key already. Regenerate it to get a new one.', {
          reason: 'key_exists',
        })
      }
      await recordActivity(trx, {
        organizationId: caller.organizationId,
        actor: toActor(caller),
        action: 'account_key.generated',
        details: { preview: key.apiKeyPreview },
      })
      return { ...key, warning: keyWarning }
    })
  },

  async regenerateKey({ caller }, { db }) {
    return transaction(db, async (trx) => {
      const key = await nextKey(trx, caller.organizationId, null, caller.kind === 'user' ? null : caller.credentialHash)
      // The caller's key was replaced since it was read, so it no longer works for this call either.
      if (!key) throw credentialsEnded('invalid_api_key')
      const { apiKey, apiKeyPreview } = key
      await recordActivity(trx, {
        organizationId: caller.organizationId,
        actor: toActor(caller),
        action: 'account_key.regenerated',
        details: { preview: apiKeyPreview },
      })
      return { apiKey, warning: nextKeyWarning }
    })
  },
} satisfies Handlers<Contract['account']>

function credentialsEnded(reason: 'invalid_api_key' | 'invalid_session') {
  return apiError('AUTH_ERROR', 'These credentials stopped working just now.', { reason })
}
