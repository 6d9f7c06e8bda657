import { limits, type Product } from '@msgctl/contract'
import type { Caller } from '#api/http/handler.ts'
import { findPeriod, findUsed } from '#conversations/bots/records/allowance-store.ts'
import { computeAllowance } from '#numbers/allowance.ts'
import { countNumbers, findExtra } from '#numbers/records/store.ts'
import { sessionEnded } from '#people/auth/session-ended.ts'
import { listProducts, type ProductState } from '#people/organizations/store.ts'
import { trialState } from '#sending/messages/trial.ts'
import type { Services } from '#services.ts'
import { countTeam, findOrganization } from './store.ts'

const million = 1_000_000

/** Returns the organization of the caller as the API shows it. */
export async function readOrganization(
  { db, clock, config }: Pick<Services, 'db' | 'clock' | 'config'>,
  caller: Caller,
) {
  const { organizationId } = caller
  const period = await findPeriod(db, clock.now(), caller, { microUsd: config.ai.allowanceUsd * million })
  const [found, products, team, trial, bought, used, usedMicroUsd] = await Promise.all([
    findOrganization(db, organizationId),
    listProducts(db, organizationId),
    countTeam(db, organizationId),
    trialState(db, clock, caller),
    findExtra(db, organizationId),
    countNumbers(db, organizationId),
    findUsed(db, organizationId, period),
  ])
  if (!found) throw sessionEnded()
  const { ownerId, ownerName, ownerEmail, createdAt, trialEndsAt, ...facts } = found
  const { included, extra } = computeAllowance(caller.products, bought.extra, used)
  return {
    organization: {
      ...facts,
      createdAt: createdAt.toISOString(),
      owner: { id: ownerId, name: ownerName, email: ownerEmail },
      members: team.members,
      memberLimit: limits.team,
      products: products.map(toProduct),
      trialEndsAt: trialEndsAt?.toISOString() ?? null,
      trial: trial && {
        endsAt: trial.endsAt,
        messagesPerDay: trial.limit,
        usedToday: trial.used,
        resetsAt: trial.resetsAt,
      },
      numbers: { included, extra, extraExpiresAt: bought.extraExpiresAt?.toISOString() ?? null, used },
      ai: {
        limitUsd: period.limitMicroUsd / million,
        usedUsd: usedMicroUsd / million,
        renewsAt: period.renewsAt?.toISOString() ?? null,
      },
    },
  }
}

function toProduct({ product, held, active, since }: ProductState): {
  product: Product
  state: 'active' | 'trial' | 'paused'
  since: string | null
} {
  const state = held === 'on trial' ? 'trial' : 'active'
  return { product, state: active ? state : 'paused', since: since?.toISOString() ?? null }
}
