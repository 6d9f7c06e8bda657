/** How many attempts may be under way in one process. */
export interface SlotBounds {
  /** For organizations whose receivers answer in time. */
  readonly brisk: number
  /** For organizations whose receiver was slow or silent the last time, all of them together. */
  readonly slow: number
  readonly perOrganization: number
}

/** Which organizations a claim may take from, and how much from each. */
export interface Offer {
  readonly slots: number
  /** True: only from `slow`; false: from everybody else. */
  readonly fromSlow: boolean
  readonly slow: readonly string[]
  /** Attempts each known organization may begin now. */
  readonly room: Readonly<Record<string, number>>
  /** The same for an organization that is not named. */
  readonly newcomerRoom: number
}

interface Tenant {
  held: number
  cap: number
  slow: boolean
}

const newcomerCap = 2
const slowAnswerMs = 2000
const rememberedTenants = 1000

/**
 * Shares out the attempts of one process. An organization begins with two at a time and gets more as its receiver
 * answers quickly; one that is slow or silent is moved to a part of its own with one at a time. So dead receivers,
 * however many, hold only that part for the ten seconds of each attempt, and the others go on.
 */
export function deliverySlots(bounds: SlotBounds) {
  const tenants = new Map<string, Tenant>()
  const used = { brisk: 0, slow: 0 }

  function tenant(organizationId: string): Tenant {
    const known = tenants.get(organizationId) ?? { held: 0, cap: newcomerCap, slow: false }
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
        known.map(([organizationId, { cap, held }]) => [organizationId, Math.max(0, cap - held)]),
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

    /** Takes a slot for one attempt. The returned function gives it back and answers whether somebody may wait for it. */
    take(organizationId: string): (answeredInMs: number | null) => boolean {
      const held = tenant(organizationId)
      const part = held.slow ? 'slow' : 'brisk'
      held.held += 1
      used[part] += 1
      return (answeredInMs) => {
        const awaited = held.held >= held.cap || used[part] >= bounds[part]
        held.held -= 1
        used[part] -= 1
        held.slow = answeredInMs === null || answeredInMs > slowAnswerMs
        held.cap = held.slow ? 1 : Math.min(held.cap * 2, bounds.perOrganization)
        forgetSome()
        return awaited
      }
    },

    /** Attempts under way. */
    held: () => used.brisk + used.slow,
  }
}
