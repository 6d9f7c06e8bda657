import { limits, type Product } from '@msgctl/contract'
import { v7 as newId } from 'uuid'
import type { Db } from '../db/db.ts'
import { insertOrganization, insertProducts, insertUser, putMember, type UserRow } from './store.ts'

/** Who founds an organization. */
export interface Founding {
  readonly organizationName: string
  readonly products: readonly Product[]
  /** True: the products are held for good; false: for the 7 days of the free trial. */
  readonly granted: boolean
  readonly owner: { readonly name: string; readonly email: string; readonly passwordHash: string }
}

/** Stores an organization with its products and its owner; null, with nothing stored, when the e-mail is known. */
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
  await putMember(trx, organizationId, owner.id, 'owner')
  return { organizationId, owner: { id: owner.id, name: owner.name, email: owner.email } }
}
