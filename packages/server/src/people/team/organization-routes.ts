import { type Contract, products } from '@msgctl/contract'
import { deleteToken, hasTwoFactor } from '#api/access/token-store.ts'
import { recordActivity, toActor } from '#api/activity/log.ts'
import type { Caller, Handlers, Origin, Request } from '#api/http/handler.ts'
import { startSession } from '#people/auth/session.ts'
import { sessionEnded } from '#people/auth/session-ended.ts'
import { personOf } from '#people/auth/sessions.ts'
import { findMemberForSignIn } from '#people/auth/store.ts'
import { findTwoFactor } from '#people/auth/two-factor/store.ts'
import { foundFor } from '#people/organizations/create.ts'
import {
  lockOrganization,
  writeCountry,
  writeOrganizationName,
  writeRequireTwoFactor,
} from '#people/organizations/store.ts'
import { lockUser } from '#people/organizations/user-store.ts'
import { type Db, transaction } from '#platform/db/db.ts'
import { apiError } from '#platform/errors.ts'
import type { Services } from '#services.ts'
import { deleteOrganization } from './delete-organization.ts'
import { countryLocked, notOwner, ownerFirst, tooManyOrganizations } from './errors.ts'
import { ownsTheMost } from './owned.ts'
import { readOrganization } from './read-organization.ts'
import { findOrganization, listOwn } from './store.ts'
import { transfer } from './transfer.ts'

export const organizationHandlers = {
  async list({ caller }, { db }) {
    const own = await listOwn(db, personOf(caller))
    return { organizations: own.map((one) => ({ ...one, current: one.id === caller.organizationId })) }
  },

  async create({ caller, body, origin }, services) {
    if (services.config.signUp === 'closed') {
      throw apiError('SIGNUP_DISABLED', 'Sign-up is closed. Ask the operator of the service.')
    }
    const userId = personOf(caller)
    return transaction(services.db, async (trx) => {
      if (!(await lockUser(trx, userId))) throw sessionEnded()
      if (await ownsTheMost(trx, userId)) throw tooManyOrganizations()
      const organizationId = await foundFor(trx, userId, {
        organizationName: body.name,
        products: body.products ?? products,
        granted: false,
      })
      await recordActivity(trx, { organizationId, actor: toActor(caller), action: 'organization.founded' })
      return startSessionIn(trx, services, { caller, organizationId, origin })
    })
  },

  get: ({ caller }, services) => readOrganization(services, caller),

  async update({ caller, body }, services) {
    const { db } = services
    const { organizationId } = caller
    const { name, requireTwoFactor, country } = body
    await transaction(db, async (trx) => {
      await lockOrganization(trx, organizationId)
      if (country !== undefined) await setCountry(trx, organizationId, country)
      if (requireTwoFactor !== undefined) {
        const before = await findOrganization(trx, organizationId)
        if (before?.ownerId !== caller.userId) throw notOwner('require two-step sign-in')
        if (requireTwoFactor && !(await findTwoFactor(trx, personOf(caller)))?.enabledAt) throw ownerFirst()
        await writeRequireTwoFactor(trx, organizationId, requireTwoFactor)
      }
      if (name !== undefined) await writeOrganizationName(trx, organizationId, name)
      const action = 'organization.changed'
      await recordActivity(trx, { organizationId, actor: toActor(caller), action, details: { ...body } })
    })
    return readOrganization(services, caller)
  },

  async transfer(request, services) {
    await transfer(request, services)
    return readOrganization(services, request.caller)
  },

  delete: deleteOrganization,
} satisfies Handlers<Contract['organization']>

/** Writes the country of a locked organization. Throws COUNTRY_LOCKED for another one after the first payment. */
async function setCountry(trx: Db, organizationId: string, country: string | null): Promise<void> {
  const before = await findOrganization(trx, organizationId)
  if (!before || before.country === country) return
  if (before.countryLocked) throw countryLocked(before.country ?? '')
  await writeCountry(trx, organizationId, country)
}

/** Ends the session that calls and starts one for another organization. Throws NOT_FOUND and ACCOUNT_DEACTIVATED. */
export async function switchOrganization(
  { caller, body, origin }: Request<Contract['auth']['switchOrganization']>,
  services: Services,
) {
  return transaction(services.db, async (trx) => {
    const next = await startSessionIn(trx, services, { caller, organizationId: body.organizationId, origin })
    await deleteToken(trx, caller.organizationId, caller.credentialHash)
    return next
  })
}

/** Starts a session of the caller for an organization, with as many steps as the session that calls. */
async function startSessionIn(
  trx: Db,
  services: Services,
  { caller, organizationId, origin }: { caller: Caller; organizationId: string; origin: Origin },
) {
  const person = await findMemberForSignIn(trx, organizationId, personOf(caller))
  if (!person) throw apiError('NOT_FOUND', 'You are in no such organization.')
  if (person.deactivated) {
    throw apiError('ACCOUNT_DEACTIVATED', 'This organization is deactivated. Write to the operator of the service.')
  }
  const twoFactor = await hasTwoFactor(trx, caller.credentialHash)
  return startSession(trx, services, person, { origin, twoFactor })
}
