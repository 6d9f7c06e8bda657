import { limits, type Product } from '@msgctl/contract'
import { sessionEnded } from '../auth/session-ended.ts'
import type { Caller } from '../http/handler.ts'
import { trialState } from '../messages/trial.ts'
import { computeAllowance } from '../numbers/allowance.ts'
import { countNumbers, findExtra } from '../numbers/records/store.ts'
import { listProducts, type ProductState } from '../organizations/store.ts'
import type { Services } from '../services.ts'
import { countTeam, findOrganization } from './store.ts'

/** Returns the organization of the caller as the API shows it. */
export async function readOrganization({ db, clock }: Pick<Services, 'db' | 'clock'>, caller: Caller) {
  const { organizationId } = caller
  const [found, products, team, trial, bought, used] = await Promise.all([
    findOrganization(db, organizationId),
    listProducts(db, organizationId),
    countTeam(db, organizationId),
    trialState(db, clock, caller),
    findExtra(db, organizationId),
    countNumbers(db, organizationId),
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
    },
  }
}

function toProduct({ product, held, active, since }: ProductState): {
  product: Product
  state: 'active' | 'trial' | 'paused'
  since: string | null
} {
  const state = held === 'granted' ? 'active' : 'trial'
  return { product, state: active ? state : 'paused', since: since?.toISOString() ?? null }
}
