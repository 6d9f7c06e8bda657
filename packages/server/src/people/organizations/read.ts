import type { NumberStatus } from '@msgctl/contract'
import { listNumbers } from '#numbers/records/store.ts'
import type { Db } from '#platform/db/db.ts'
import { noSuchOrganization } from './change.ts'
import { listMembers, type MemberRow } from './member-store.ts'
import { findOverview, type Overview } from './read-store.ts'
import { listProducts, type ProductState } from './store.ts'

/** An organization with its products, members and numbers. */
export interface OrganizationDetails extends Omit<Overview, 'products' | 'numbers'> {
  readonly products: readonly ProductState[]
  readonly members: readonly MemberRow[]
  readonly numbers: readonly {
    readonly id: string
    readonly label: string
    readonly phoneNumber: string | null
    readonly status: NumberStatus
  }[]
}

/** Returns everything that the operator sees of one organization. Throws Refusal when there is none. */
export async function showOrganization(db: Db, organizationId: string): Promise<OrganizationDetails> {
  const [overview, products, members, numbers] = await Promise.all([
    findOverview(db, organizationId),
    listProducts(db, organizationId),
    listMembers(db, organizationId),
    listNumbers(db, organizationId),
  ])
  if (!overview) throw noSuchOrganization(organizationId)
  return {
    ...overview,
    products,
    members,
    numbers: numbers.map(({ id, label, phoneNumber, status }) => ({ id, label, phoneNumber, status })),
  }
}
