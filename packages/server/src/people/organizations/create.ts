import { limits, type Product } from '@msgctl/contract'
import { firstKey } from '#api/access/key.ts'
import { operator, recordActivity } from '#api/activity/log.ts'
import { type Db, transaction } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'
import { lockPerson } from './member-store.ts'
import { newPassword } from './password.ts'
import { Refusal } from './refusal.ts'
import { insertOrganization, insertProducts, listProducts, putMember } from './store.ts'
import { insertUser, startTrialOf, type UserRow } from './user-store.ts'

/** A new organization with its products and its owner. */
export interface Founding {
  readonly organizationName: string
  readonly products: readonly Product[]
  /** True grants the products for good, false for the 7 days of the free trial. */
  readonly granted: boolean
  readonly owner: { readonly name: string; readonly email: string; readonly passwordHash: string }
}

/**
 * Stores an organization with its products and a new owner. Returns null, with nothing stored, when the e-mail is
 * known.
 */
export async function foundOrganization(
  trx: Db,
  founding: Founding,
): Promise<{ organizationId: string; owner: UserRow } | null> {
  const owner = { id: newId(), ...founding.owner }
  if (!(await insertUser(trx, owner))) return null
  const organizationId = await foundFor(trx, owner.id, founding)
  return { organizationId, owner: { id: owner.id, name: owner.name, email: owner.email } }
}

/**
 * Stores an organization whose owner is a known person, whose row is locked. Products on trial are left out when the
 * person had a trial before. Returns its id.
 */
export async function foundFor(
  trx: Db,
  userId: string,
  { organizationName: name, products, granted }: Omit<Founding, 'owner'>,
): Promise<string> {
  const id = newId()
  const isOnTrial = !granted && (await startTrialOf(trx, userId))
  await insertOrganization(trx, { id, name, trialDays: isOnTrial ? limits.trial.days : null })
  if (granted || isOnTrial) await insertProducts(trx, id, products, granted)
  await putMember(trx, id, userId, 'owner')
  return id
}

/** The organization that the operator wants to create. */
export interface NewOrganization {
  readonly name: string
  readonly owner: { readonly name: string; readonly email: string }
  readonly products: readonly Product[]
  /** True gives the products for the 7 days of the free trial only. */
  readonly trial: boolean
}

/** The result for the operator. Password and key are shown this once. */
export interface CreatedOrganization {
  readonly organizationId: string
  readonly name: string
  readonly products: readonly Product[]
  readonly trial: boolean
  /** `password` is null for a person who has an account already. */
  readonly owner: { readonly email: string; readonly password: string | null }
  readonly apiKey: string
}

/** Creates an organization with its owner, who may have an account already, and an account key. */
export async function createOrganization(db: Db, wanted: NewOrganization): Promise<CreatedOrganization> {
  const { name, products, trial, owner } = wanted
  const { password, passwordHash } = await newPassword()
  return transaction(db, async (trx) => {
    const founding = { organizationName: name, products, granted: !trial }
    const known = await lockPerson(trx, owner.email)
    const organizationId = known
      ? await foundFor(trx, known.id, founding)
      : (await foundOrganization(trx, { ...founding, owner: { ...owner, passwordHash } }))?.organizationId
    if (organizationId !== undefined && (await listProducts(trx, organizationId)).length === 0) {
      throw new Refusal(`${owner.email} had a trial already. Leave out --trial.`)
    }
    if (organizationId === undefined) throw new Refusal(`${owner.email} signed up just now. Try again.`)
    const key = await firstKey(trx, organizationId, null)
    if (!key) throw new Error('a new organization has a key already')
    await recordActivity(trx, {
      organizationId,
      actor: operator,
      action: 'organization.created',
      details: { name, products, trial, email: owner.email },
    })
    const shown = { email: owner.email, password: known ? null : password }
    return { organizationId, name, products, trial, owner: shown, apiKey: key.apiKey }
  })
}
