import { products as allProducts, type Contract, limits } from '@msgctl/contract'
import { operator } from '#api/activity/log.ts'
import type { Request } from '#api/http/handler.ts'
import { withPayments } from '#billing/errors.ts'
import { beginEnd, refreshNow } from '#billing/operations/refresh-now.ts'
import {
  findGivenExtra,
  holdsProducts,
  writeAiAllowance,
  writeTrialEnd,
} from '#people/organizations/platform-admin-store.ts'
import {
  insertProducts,
  listProducts,
  pauseProducts,
  writeDeactivated,
  writeExtraNumbers,
} from '#people/organizations/store.ts'
import { transaction } from '#platform/db/db.ts'
import { apiError, invalidField } from '#platform/errors.ts'
import type { Services } from '#services.ts'
import { changeAsStaff, requireChangeable, type StaffChange } from './change.ts'
import { readOrganization } from './read.ts'

type Routes = Contract['platform']

const dayMs = 24 * 60 * 60 * 1000
/** How far back "now" may lie: the request takes a while. */
const nowToleranceMs = 60_000

/** Grants and revokes products. What is paid stays. */
export async function setProducts(request: Request<Routes['setProducts']>, services: Services) {
  const { params, body } = request
  await changeAsStaff(services, request, async (trx) => {
    const changes: StaffChange[] = []
    if (body.grant) {
      await insertProducts(trx, params.organizationId, body.grant, true)
      changes.push({ action: 'products.granted', verb: 'granted', details: { products: body.grant } })
    }
    if (body.revoke) {
      const revoked = await pauseProducts(trx, params.organizationId, body.revoke)
      changes.push({ action: 'products.revoked', verb: 'revoked', details: { products: revoked } })
    }
    return changes
  })
  return readOrganization(services, params.organizationId)
}

/** Moves the end of the trial. */
export async function setTrial(request: Request<Routes['setTrial']>, services: Services) {
  const { params, body } = request
  const { organizationId } = params
  const now = services.clock.now().getTime()
  const wanted = Date.parse(body.endsAt)
  if (wanted < now - nowToleranceMs || wanted > now + limits.billing.trialDays * dayMs) {
    throw invalidField('endsAt', `must be from now to ${limits.billing.trialDays} days ahead`)
  }
  const endsAt = new Date(Math.max(now, wanted))
  await changeAsStaff(services, request, async (trx) => {
    const held = await holdsProducts(trx, organizationId)
    if (held.notOnTrial) {
      throw apiError('FORBIDDEN_ACTION', 'It holds a product that is granted or paid: there is no trial to move.', {
        reason: 'not_on_trial',
      })
    }
    if (!held.any) await insertProducts(trx, organizationId, body.products ?? allProducts, false)
    await writeTrialEnd(trx, organizationId, endsAt)
    const products = (await listProducts(trx, organizationId)).map(({ product }) => product)
    return [{ action: 'trial.set', verb: 'trial_set', details: { endsAt, products } }]
  })
  return readOrganization(services, organizationId)
}

/** Sets the extra numbers and the AI allowance that the operator gives. What is left out stays. */
export async function setAllowance(request: Request<Routes['setAllowance']>, services: Services) {
  const { params, body } = request
  const { organizationId } = params
  const { extraNumbers, extraExpiresAt, aiUsdPerMonth } = body
  await changeAsStaff(services, request, async (trx) => {
    const changes: StaffChange[] = []
    if (extraNumbers !== undefined || extraExpiresAt !== undefined) {
      const before = await findGivenExtra(trx, organizationId)
      const extra = extraNumbers ?? before.extra
      const given = typeof extraExpiresAt === 'string' ? new Date(extraExpiresAt) : extraExpiresAt
      const until = given === undefined ? before.until : given
      if (until !== null && until <= services.clock.now()) throw invalidField('extraExpiresAt', 'must be in the future')
      await writeExtraNumbers(trx, organizationId, extra, until)
      changes.push({ action: 'extra_numbers.set', verb: 'extra_numbers_set', details: { extra, until } })
    }
    if (aiUsdPerMonth !== undefined) {
      await writeAiAllowance(trx, organizationId, aiUsdPerMonth)
      changes.push({ action: 'ai_allowance.set', verb: 'ai_allowance_set', details: { usdPerMonth: aiUsdPerMonth } })
    }
    return changes
  })
  return readOrganization(services, organizationId)
}

/** Deactivates an organization, and ends its subscription where that is wanted. */
export async function deactivate(request: Request<Routes['deactivate']>, services: Services) {
  const { params, body } = request
  const { organizationId } = params
  const { endSubscription = false } = body
  await changeAsStaff(services, request, async (trx) => {
    await writeDeactivated(trx, organizationId, true, body.reason)
    if (endSubscription) await beginEnd(trx, organizationId, operator)
    return [
      { action: 'organization.deactivated', verb: 'deactivated', details: endSubscription ? { endSubscription } : {} },
    ]
  })
  return readOrganization(services, organizationId)
}

/** Activates an organization again. */
export async function activate(request: Request<Routes['activate']>, services: Services) {
  const { organizationId } = request.params
  await changeAsStaff(services, request, async (trx) => {
    await writeDeactivated(trx, organizationId, false)
    return [{ action: 'organization.activated', verb: 'activated' }]
  })
  return readOrganization(services, organizationId)
}

/** Reads the provider now. Throws PAYMENT_UNAVAILABLE, and PAYMENT_CHANGE_REFUSED while another call takes long. */
export async function refresh(request: Request<Routes['refresh']>, services: Services) {
  const { organizationId } = request.params
  const paid = withPayments(services)
  await transaction(services.db, (trx) => requireChangeable(trx, organizationId))
  await refreshNow(paid, organizationId)
  await changeAsStaff(services, request, async () => [{ action: 'billing.refreshed', verb: 'refreshed' }])
  return readOrganization(services, organizationId)
}
