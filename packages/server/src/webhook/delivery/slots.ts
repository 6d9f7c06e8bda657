/** How many deliveries one process may have claimed, and how many attempts of one organization are under way. */
export interface SlotBounds {
  /** For organizations whose receivers answer in time. */
  readonly brisk: number
  /** For organizations whose receiver was slow or silent the last time, all of them together. */
  readonly slow: number
  readonly perOrganization: number
  /** How many times that are claimed at most of an organization whose receiver answers at once, 1 unless told. */
  readonly ahead?: number
}

/** Which organizations a claim may take from, and how much from each. */
export interface Offer {
  readonly slots: number
  /** True: only from `slow`; false: from everybody else. */
  readonly fromSlow: boolean
  readonly slow: readonly string[]
  /** Deliveries that may be claimed of each known organization now. */
  readonly room: Readonly<Record<string, number>>
  /** The same for an organization that is not named. */
  readonly newcomerRoom: number
}

interface Tenant {
  held: number
  cap: number
  slow: boolean
  /** The time of the latest answer. */
  answeredInMs: number
}

const newcomerCap = 2
/** Whoever takes longer to answer is slow. */
export const slowAnswerMs = 2000
/** What is claimed ahead is what the receiver takes in about this time: some turns of the loop that claims. */
const aheadMs = 100
const rememberedTenants = 1000

/**
 * Shares out the attempts of one process. An organization begins with two at a time and gets more as its receiver
 * answers quickly; one that is slow or silent is moved to a part of its own with one at a time. So dead receivers,
 * however many, hold only that part for the ten seconds of each attempt, and the others go on.
 */
export function deliverySlots(bounds: SlotBounds) {
  const tenants = new Map<string, Tenant>()
  const used = { brisk: 0, slow: 0 }
  const { ahead = 1 } = bounds

  /** A newcomer and a slow one have nothing claimed ahead: it would only wait. */
  function claimsOf({ cap, slow, answeredInMs }: Tenant): number {
    if (slow || cap === newcomerCap) return cap
    return cap * Math.max(1, Math.min(ahead, Math.floor(aheadMs / Math.max(1, answeredInMs))))
  }

  function tenant(organizationId: string): Tenant {
    const known = tenants.get(organizationId) ?? { held: 0, cap: newcomerCap, slow: false, answeredInMs: 0 }
    tenants.delete(organizationId)
    tenants.set(organizationId, known)
    return known
  }

  function forgetSome(): void {
    for (const [organizationId, { held }] of tenants) {
      if (tenants.size <= rememberedTenants) return
      if (held === 0) tenants.delete(organizationId)
    }
  }

  function offer(fromSlow: boolean): Offer {
    const known = [...tenants]
    return {
      slots: fromSlow ? bounds.slow - used.slow : bounds.brisk - used.brisk,
      fromSlow,
      slow: known.filter(([, { slow }]) => slow).map(([organizationId]) => organizationId),
      room: Object.fromEntries(
        known.map(([organizationId, tenant]) => [organizationId, Math.max(0, claimsOf(tenant) - tenant.held)]),
      ),
      newcomerRoom: newcomerCap,
    }
  }

  return {
    /** What may be claimed now: at most one offer for each part, none for a part that is full or that nobody is in. */
    offers(): Offer[] {
      const brisk = offer(false)
      const slow = offer(true)
      return [brisk, slow].filter(({ slots, fromSlow }) => slots > 0 && (!fromSlow || slow.slow.length > 0))
    },

    /**
     * Takes a slot for one delivery. The returned function gives it back, with the time of the answer, null without one,
     * or undefined when no attempt was made, and answers whether somebody may wait for it.
     */
    take(organizationId: string): (answeredInMs: number | null | undefined) => boolean {
      const held = tenant(organizationId)
      const part = held.slow ? 'slow' : 'brisk'
      held.held += 1
      used[part] += 1
      return (answeredInMs) => {
        const awaited = held.held >= claimsOf(held) || used[part] >= bounds[part]
        held.held -= 1
        used[part] -= 1
        if (answeredInMs === undefined) return awaited
        held.slow = answeredInMs === null || answeredInMs > slowAnswerMs
        held.answeredInMs = answeredInMs ?? slowAnswerMs
        held.cap = held.slow ? 1 : Math.min(held.cap * 2, bounds.perOrganization)
        forgetSome()
        return awaited
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
    cap: (organizationId: string) => tenants.get(organizationId)?.cap ?? newcomerCap,

    /** Whether its receiver was slow or silent the last time. */
    isSlow: (organizationId: string) => tenants.get(organizationId)?.slow ?? false,

    /** Deliveries that have a slot. */
    held: () => used.brisk + used.slow,
  }
}
