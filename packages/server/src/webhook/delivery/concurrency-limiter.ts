/** How many deliveries one process may have claimed, and how many attempts of one organization are under way. */
export interface ConcurrencyBounds {
  /** For organizations whose receivers answer in time. */
  readonly fast: number
  /** For organizations whose receiver was slow or silent the last time, all of them together. */
  readonly slow: number
  readonly perOrganization: number
  /** How many times that are claimed at most of an organization whose receiver answers at once, 1 unless told. */
  readonly prefetch?: number
}

/** Which organizations a claim may take from, and how much from each. */
export interface ClaimQuota {
  readonly limit: number
  /** True: only from `slow`; false: from everybody else. */
  readonly fromSlow: boolean
  readonly slow: readonly string[]
  /** Deliveries that may be claimed of each known organization now. */
  readonly quotas: Readonly<Record<string, number>>
  /** The same for an organization that is not named. */
  readonly initialQuota: number
}

interface Tenant {
  inFlight: number
  cap: number
  slow: boolean
  /** The time of the latest answer. */
  responseMs: number
}

const initialCap = 2
/** Whoever takes longer to answer is slow. */
export const slowResponseMs = 2000
/** What is claimed ahead is what the receiver takes in about this time: some turns of the loop that claims. */
const prefetchMs = 100
const rememberedTenants = 1000

/**
 * Shares out the attempts of one process. An organization begins with two at a time and gets more as its receiver
 * answers quickly; one that is slow or silent is moved to a part of its own with one at a time. So dead receivers,
 * however many, hold only that part for the ten seconds of each attempt, and the others go on.
 */
export function concurrencyLimiter(bounds: ConcurrencyBounds) {
  const tenants = new Map<string, Tenant>()
  const used = { fast: 0, slow: 0 }
  const { prefetch = 1 } = bounds

  /** A newcomer and a slow one have nothing claimed ahead: it would only wait. */
  function claimLimit({ cap, slow, responseMs }: Tenant): number {
    if (slow || cap === initialCap) return cap
    return cap * Math.max(1, Math.min(prefetch, Math.floor(prefetchMs / Math.max(1, responseMs))))
  }

  function tenant(organizationId: string): Tenant {
    const known = tenants.get(organizationId) ?? { inFlight: 0, cap: initialCap, slow: false, responseMs: 0 }
    tenants.delete(organizationId)
    tenants.set(organizationId, known)
    return known
  }

  function evictIdle(): void {
    for (const [organizationId, { inFlight }] of tenants) {
      if (tenants.size <= rememberedTenants) return
      if (inFlight === 0) tenants.delete(organizationId)
    }
  }

  function claimQuota(fromSlow: boolean): ClaimQuota {
    const known = [...tenants]
    return {
      limit: fromSlow ? bounds.slow - used.slow : bounds.fast - used.fast,
      fromSlow,
      slow: known.filter(([, { slow }]) => slow).map(([organizationId]) => organizationId),
      quotas: Object.fromEntries(
        known.map(([organizationId, tenant]) => [organizationId, Math.max(0, claimLimit(tenant) - tenant.inFlight)]),
      ),
      initialQuota: initialCap,
    }
  }

  return {
    /** What may be claimed now: at most one offer for each part, none for a part that is full or that nobody is in. */
    claimQuotas(): ClaimQuota[] {
      const fast = claimQuota(false)
      const slow = claimQuota(true)
      return [fast, slow].filter(({ limit, fromSlow }) => limit > 0 && (!fromSlow || slow.slow.length > 0))
    },

    /**
     * Takes a slot for one delivery. The returned function gives it back, with the time of the answer, null without one,
     * or undefined when no attempt was made, and answers whether somebody may wait for it.
     */
    take(organizationId: string): (responseMs: number | null | undefined) => boolean {
      const held = tenant(organizationId)
      const pool = held.slow ? 'slow' : 'fast'
      held.inFlight += 1
      used[pool] += 1
      return (responseMs) => {
        const hasWaiters = held.inFlight >= claimLimit(held) || used[pool] >= bounds[pool]
        held.inFlight -= 1
        used[pool] -= 1
        if (responseMs === undefined) return hasWaiters
        held.slow = responseMs === null || responseMs > slowResponseMs
        held.responseMs = responseMs ?? slowResponseMs
        held.cap = held.slow ? 1 : Math.min(held.cap * 2, bounds.perOrganization)
        evictIdle()
        return hasWaiters
      }
    },

    /** Its receiver has been silent for so long that it is slow, whatever it answers in the end. */
    slowDown(organizationId: string): void {
      const held = tenants.get(organizationId)
      if (!held) return
      held.slow = true
      held.cap = 1
    },

    /** How many attempts of an organization may be under way. */
    cap: (organizationId: string) => tenants.get(organizationId)?.cap ?? initialCap,

    /** Whether its receiver was slow or silent the last time. */
    isSlow: (organizationId: string) => tenants.get(organizationId)?.slow ?? false,

    /** Deliveries that have a slot. */
    held: () => used.fast + used.slow,
  }
}
