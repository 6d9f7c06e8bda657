import { type Contract, type NumberStatus, numberStatuses } from '@msgctl/contract'
import type { Request } from '#api/http/handler.ts'
import { toMoney } from '#billing/money.ts'
import { monthOf, periodOf } from '#conversations/bots/records/allowance.ts'
import { computeAllowance } from '#numbers/allowance.ts'
import { listProductsOf, type ProductState } from '#people/organizations/store.ts'
import { listTeam } from '#people/team/store.ts'
import type { Db } from '#platform/db/db.ts'
import { apiError } from '#platform/errors.ts'
import { countSince } from '#sending/messages/history/counter-store.ts'
import type { Services } from '#services.ts'
import { type AdminRow, countStatuses, findAdminRow, listAdminRows } from './organization-store.ts'

type Context = Pick<Services, 'db' | 'clock' | 'config' | 'payments'>

const million = 1_000_000
const daysOfMessages = 30

/** Lists the organizations of the service. */
export async function listOrganizations({ query }: Request<Contract['platform']['organizations']>, services: Context) {
  const { search = null, state = null, billing = null, product = null, cursor: after = null, limit } = query
  const filter = { search, state, billing, product, after, limit: limit + 1 }
  const found = await listAdminRows(services.db, monthOf(services.clock.now()), filter)
  const page = found.slice(0, limit)
  const products = await listProductsOf(
    services.db,
    page.map(({ id }) => id),
  )
  return {
    organizations: page.map((row) => toOrganization(row, products.get(row.id) ?? [], services)),
    nextCursor: found.length > limit ? (page.at(-1)?.id ?? null) : null,
  }
}

/** Returns an organization as it is after a change. Throws NOT_FOUND. */
export async function readOrganization(services: Context, organizationId: string, db: Db = services.db) {
  const { row, products } = await findRow(services, organizationId, db)
  return { organization: toOrganization(row, products, services) }
}

/** Returns an organization with its people and figures. Throws NOT_FOUND. */
export async function showOrganization(
  { params: { organizationId } }: Request<Contract['platform']['organization']>,
  services: Context,
) {
  const { db } = services
  const { row, products } = await findRow(services, organizationId, db)
  const [people, statuses, messagesLast30Days] = await Promise.all([
    listTeam(db, organizationId),
    countStatuses(db, organizationId),
    countSince(db, organizationId, daysOfMessages),
  ])
  return {
    organization: {
      ...toOrganization(row, products, services),
      people: people.map(({ id, name, email, role, twoFactorEnabled, lastSeenAt }) => ({
        id,
        name,
        email,
        role,
        twoFactorEnabled,
        lastSeenAt: lastSeenAt?.toISOString() ?? null,
      })),
      numberStatuses: {
        ...(Object.fromEntries(numberStatuses.map((status) => [status, 0])) as Record<NumberStatus, number>),
        ...Object.fromEntries(statuses.map(({ status, count }) => [status, count])),
      },
      messagesLast30Days,
      deactivatedReason: row.state === 'deactivated' ? row.deactivatedReason : null,
      customerUrl: customerUrl(services, row),
    },
  }
}

async function findRow(
  { clock }: Context,
  organizationId: string,
  db: Db,
): Promise<{ row: AdminRow; products: readonly ProductState[] }> {
  const row = await findAdminRow(db, monthOf(clock.now()), organizationId)
  if (!row) throw noSuchOrganization()
  return { row, products: (await listProductsOf(db, [organizationId])).get(organizationId) ?? [] }
}

/** Returns the error for an unknown organization. */
export function noSuchOrganization() {
  return apiError('NOT_FOUND', 'There is no such organization.')
}

/** Returns the page of a customer in the dashboard of the provider; null where there is none. */
function customerUrl({ payments }: Context, { customerId }: AdminRow): string | null {
  if (customerId === null || !payments || payments.mode === 'simulated') return null
  return `https://dashboard.stripe.com/${payments.mode === 'test' ? 'test/' : ''}customers/${customerId}`
}

const sources = { granted: 'granted', paid: 'paid', 'on trial': 'trial' } as const

function toProduct({ product, held, active, since }: ProductState) {
  const state = held === 'on trial' ? ('trial' as const) : ('active' as const)
  return {
    product,
    state: active ? state : ('paused' as const),
    source: sources[held],
    since: since?.toISOString() ?? null,
  }
}

function toOrganization(row: AdminRow, products: readonly ProductState[], { clock, config }: Context) {
  const { ownerId, ownerName, ownerEmail, extra, numbers: used, amount, currency } = row
  const microUsd = (row.aiAllowanceUsd ?? config.ai.allowanceUsd) * million
  const ai = periodOf(clock.now(), row.trial, { microUsd })
  const { included, extra: counted } = computeAllowance(new Set(row.products), extra, used)
  return {
    id: row.id,
    name: row.name,
    createdAt: row.createdAt.toISOString(),
    state: row.state,
    platformAdmin: row.platformAdmin,
    protected: row.protected,
    owner: ownerId === null ? null : { id: ownerId, name: ownerName ?? '', email: ownerEmail ?? '' },
    members: row.members,
    country: row.country,
    products: products.map(toProduct),
    trialEndsAt: row.trialEndsAt?.toISOString() ?? null,
    numbers: { included, extra: counted, extraExpiresAt: row.extraExpiresAt?.toISOString() ?? null, used },
    ai: {
      limitUsd: ai.limitMicroUsd / million,
      usedUsd: row.aiUsedMicroUsd / million,
      renewsAt: ai.renewsAt?.toISOString() ?? null,
    },
    billing: {
      status: row.billingStatus,
      period: row.period,
      currentPeriodEnd: row.currentPeriodEnd?.toISOString() ?? null,
      amount: amount === null || currency === null ? null : toMoney(amount, currency),
    },
  }
}
