import { type Contract, listFeatures, products } from '@msgctl/contract'
import { firstKey, keyWarning, nextKey, nextKeyWarning } from '#api/access/key.ts'
import { recordActivity, toActor } from '#api/activity/log.ts'
import type { Handlers } from '#api/http/handler.ts'
import { computeAllowance } from '#numbers/allowance.ts'
import { findExtra } from '#numbers/records/store.ts'
import { simulatedWarning } from '#numbers/records/view.ts'
import { transaction } from '#platform/db/db.ts'
import { apiError } from '#platform/errors.ts'
import { trialState } from '#sending/messages/trial.ts'
import { accountLimits } from './limits.ts'
import { findAccount } from './store.ts'
import { accountUsage } from './usage.ts'

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
