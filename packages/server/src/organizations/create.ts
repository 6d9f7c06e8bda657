import { type AvailableProduct, limits, type Product } from '@msgctl/contract'
import { v7 as newId } from 'uuid'
import { firstKey } from '../access/key.ts'
import { operator, recordActivity } from '../activity/log.ts'
import { type Db, transaction } from '../db/db.ts'
import { newPassword } from './password.ts'
import { Refusal } from './refusal.ts'
import { insertOrganization, insertProducts, putMember } from './store.ts'
import { insertUser, startTrialOf, type UserRow } from './user-store.ts'

/** A new organization with its products and its owner. */
export interface Founding {
  readonly organizationName: string
  readonly products: readonly Product[]
  /** True grants the products for good, false for the 7 days of the free trial. */
  readonly granted: boolean
  readonly owner: { readonly name: string; readonly email: string; readonly passwordHash: string }
}

/** Stores an organization with its products and its owner. Returns null, with nothing stored, when the e-mail is known. */
export async function foundOrganization(
  trx: Db,
  founding: Founding,
): Promise<{ organizationId: string; owner: UserRow } | null> {
  const owner = { id: newId(), ...founding.owner }
  if (!(await insertUser(trx, owner))) return null
  const organizationId = newId()
  await insertOrganization(trx, {
    id: organizationId,
    name: founding.organizationName,
    trialDays: founding.granted ? null : limits.trial.days,
  })
  await insertProducts(trx, organizationId, founding.products, founding.granted)
  if (!founding.granted) await startTrialOf(trx, owner.id)
  await putMember(trx, organizationId, owner.id, 'owner')
  return { organizationId, owner: { id: owner.id, name: owner.name, email: owner.email } }
}

/** The organization that the operator wants to create. */
export interface NewOrganization {
  readonly name: string
  readonly owner: { readonly name: string; readonly email: string }
  readonly products: readonly AvailableProduct[]
  /** True gives the products for the 7 days of the free trial only. */
  readonly trial: boolean
}

/** The result for the operator. Password and key are shown this once. */
export interface CreatedOrganization {
  readonly organizationId: string
  readonly name: string
  readonly products: readonly Product[]
  readonly trial: boolean
  readonly owner: { readonly email: string; readonly password: string }
  readonly apiKey: string
}

/** Creates an organization with its owner and an account key. Throws {@link Refusal} for a known e-mail. */
export async function createOrganization(db: Db, wanted: NewOrganization): Promise<CreatedOrganization> {
  const { name, products, trial, owner } = wanted
  const { password, passwordHash } = await newPassword()
  return transaction(db, async (trx) => {
    const founded = await foundOrganization(trx, {
      organizationName: name,
      products,
      granted: !trial,
      owner: { ...owner, passwordHash },
    })
    if (!founded) throw new Refusal(`${owner.email} is known already. A person can be in one organization only.`)
    const { organizationId } = founded
    const key = await firstKey(trx, organizationId, null)
    if (!key) throw new Error('a new organization has a key already')
    await recordActivity(trx, {
      organizationId,
      actor: operator,
      action: 'organization.created',
      details: { name, products, trial, ownerEmail: owner.email },
    })
    return { organizationId, name, products, trial, owner: { email: owner.email, password }, apiKey: key.apiKey }
  })
}
