import type { Product } from '@msgctl/contract'
import type { Db } from '#platform/db/db.ts'
import { changeOrganization } from './change.ts'
import { insertProducts, listProducts, type ProductState, pauseProducts } from './store.ts'

/** Grants products for good: resumes paused ones and ends the trial of those on trial. Returns all products. */
export async function grantProducts(
  db: Db,
  organizationId: string,
  products: readonly Product[],
): Promise<ProductState[]> {
  return changeOrganization(db, organizationId, async (trx) => {
    await insertProducts(trx, organizationId, products, true)
    const result = await listProducts(trx, organizationId)
    return { action: 'products.granted', details: { products }, result }
  })
}

/**
 * Pauses products: what they unlock is refused from the next request on, and nothing is deleted. Products that the
 * organization does not hold are ignored. Returns all products.
 */
export async function revokeProducts(
  db: Db,
  organizationId: string,
  products: readonly Product[],
): Promise<ProductState[]> {
  return changeOrganization(db, organizationId, async (trx) => {
    const paused = await pauseProducts(trx, organizationId, products)
    const result = await listProducts(trx, organizationId)
    return { action: 'products.revoked', details: { products: paused }, result }
  })
}
