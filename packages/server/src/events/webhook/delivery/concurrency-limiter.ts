import { semaphore } from '@msgctl/network/semaphore'

/** Limits of claimed deliveries in one process, and of concurrent attempts for one endpoint. */
export interface ConcurrencyBounds {
  /** For endpoints whose receivers respond in time. */
  readonly fast: number
  /** For all endpoints together whose receiver was slow or silent at the last attempt. */
  readonly slow: number
  readonly perEndpoint: number
  /** The factor up to which deliveries are claimed ahead for a fast receiver (default: 1). */
  readonly prefetch?: number
}

/** Which endpoints a claim may take from, and how much from each. */
export interface ClaimQuota {
  readonly limit: number
  /** True: only from `slow`; false: from all others. */
  readonly fromSlow: boolean
  readonly slow: readonly string[]
  /** How many deliveries may be claimed for each known endpoint now. */
  readonly quotas: Readonly<Record<string, number>>
  /** The same for an unknown endpoint. */
  readonly initialQuota: number
}

interface Receiver {
  inFlight: number
  cap: number
  slow: boolean
  /** The duration of the latest response. */
  responseMs: number
  /** Whether the latest claim left it out, because too few of its slots were free. */
  isPostponed: boolean
}

const initialCap = 2
/** A receiver that takes longer to respond is slow. */
export const slowResponseMs = 2000
/** Deliveries are claimed ahead for about this time, which spans several claims. */
const prefetchMs = 100
const cachedReceivers = 1000

/**
 * Limits the attempts of one process. An endpoint starts with two concurrent attempts and gets more while its receiver
 * responds quickly. A slow or silent one moves to a separate pool with one attempt at a time, so that any number of
 * dead receivers block only that pool for the ten seconds of each attempt.
 */
export function concurrencyLimiter(bounds: ConcurrencyBounds) {
  const receivers = new Map<string, Receiver>()
  const used = { fast: 0, slow: 0 }
  /** Pools that the latest claim left out, because too few of their slots were free. */
  const isPostponed = { fast: false, slow: false }
  /** Slots of a pool that must be free for a claim. Slow receivers free theirs one by one. */
  const leastFree = { fast: Math.max(1, bounds.fast / 8), slow: 1 }
  const { prefetch = 1 } = bounds

  function isPoolWorthClaiming(pool: 'fast' | 'slow'): boolean {
    return bounds[pool] - used[pool] >= leastFree[pool]
  }

  /** Nothing is claimed ahead for new and slow receivers: it would only wait. */
  function claimLimit({ cap, slow, responseMs }: Receiver): number {
    if (slow || cap === initialCap) return cap
    return cap * Math.max(1, Math.min(prefetch, Math.floor(prefetchMs / Math.max(1, responseMs))))
  }

  /** A claim costs nearly the same for one delivery as for a hundred, so what is claimed ahead is claimed by halves. */
  function isWorthClaiming(receiver: Receiver): boolean {
    const limit = claimLimit(receiver)
    const least = limit > receiver.cap ? limit / 2 : 1
    return limit - receiver.inFlight >= least
  }

  function nextQuota(receiver: Receiver): number {
    receiver.isPostponed = !isWorthClaiming(receiver)
    return receiver.isPostponed ? 0 : claimLimit(receiver) - receiver.inFlight
  }

  function receiver(endpointId: string): Receiver {
    const known = receivers.get(endpointId) ?? newReceiver()
    receivers.delete(endpointId)
    receivers.set(endpointId, known)
    return known
  }

  function evictIdle(): void {
    for (const [endpointId, { inFlight }] of receivers) {
      if (receivers.size <= cachedReceivers) return
      if (inFlight === 0) receivers.delete(endpointId)
    }
  }

  function claimQuota(fromSlow: boolean): ClaimQuota {
    const known = [...receivers]
    const pool = fromSlow ? 'slow' : 'fast'
    isPostponed[pool] = !isPoolWorthClaiming(pool)
    return {
      limit: isPostponed[pool] ? 0 : bounds[pool] - used[pool],
      fromSlow,
      slow: known.filter(([, { slow }]) => slow).map(([endpointId]) => endpointId),
      quotas: Object.fromEntries(known.map(([endpointId, receiver]) => [endpointId, nextQuota(receiver)])),
      initialQuota: initialCap,
    }
  }

  return {
    /** Returns what may be claimed now: at most one quota for each pool, none for a full or empty one. */
    claimQuotas(): ClaimQuota[] {
      const fast = claimQuota(false)
      const slow = claimQuota(true)
      return [fast, slow].filter(({ limit, fromSlow }) => limit > 0 && (!fromSlow || slow.slow.length > 0))
    },

    /**
     * Takes a slot for one delivery. The returned function releases it. Pass the response time, null without a
     * response, or undefined if no attempt was made. It returns whether other deliveries may wait for slots and can be
     * claimed now.
     */
    take(endpointId: string): (responseMs: number | null | undefined) => boolean {
      const held = receiver(endpointId)
      const pool = held.slow ? 'slow' : 'fast'
      held.inFlight += 1
      used[pool] += 1
      return (responseMs) => {
        held.inFlight -= 1
        used[pool] -= 1
        if (responseMs !== undefined) {
          held.slow = responseMs === null || responseMs > slowResponseMs
          held.responseMs = responseMs ?? slowResponseMs
          held.cap = held.slow ? 1 : Math.min(held.cap * 2, bounds.perEndpoint)
          evictIdle()
        }
        const poolGoesOn = isPostponed[pool] && isPoolWorthClaiming(pool)
        if (poolGoesOn) isPostponed[pool] = false
        const receiverGoesOn = held.isPostponed && isWorthClaiming(held)
        if (receiverGoesOn) held.isPostponed = false
        return poolGoesOn || receiverGoesOn
      }
    },

    /** Marks the receiver as slow, because it has been silent for too long. */
    slowDown(endpointId: string): void {
      const held = receivers.get(endpointId)
      if (!held) return
      held.slow = true
      held.cap = 1
    },

    /** Returns how many concurrent attempts an endpoint may have. */
    cap: (endpointId: string) => receivers.get(endpointId)?.cap ?? initialCap,

    /** Returns whether the receiver was slow or silent at the last attempt. */
    isSlow: (endpointId: string) => receivers.get(endpointId)?.slow ?? false,

    /** Returns how many deliveries have a slot. */
    held: () => used.fast + used.slow,
  }
}

function newReceiver(): Receiver {
  return { inFlight: 0, cap: initialCap, slow: false, responseMs: 0, isPostponed: false }
}

const refused = new Error('The delivery may not begin any more.')

/**
 * Admits claimed deliveries of one process: of each endpoint no more at once than `cap` returns. Deliveries claimed
 * ahead wait here, so that a receiver that responds quickly never waits for the next claim.
 */
export function deliveryQueue(cap: (endpointId: string) => number) {
  const permits = semaphore({ limitPerKey: cap })
  /** When an attempt of each endpoint with attempts ended last, or the first one began. */
  const progressAtMs = new Map<string, number>()
  let closed = false

  function rejectQueued(endpointId: string): void {
    permits.rejectQueued(endpointId, refused)
  }

  return {
    /**
     * Resolves true when an attempt may begin; {@link end} must follow it. Resolves false if the delivery was rejected.
     */
    begin(endpointId: string): Promise<boolean> {
      if (closed) return Promise.resolve(false)
      if (!progressAtMs.has(endpointId)) progressAtMs.set(endpointId, performance.now())
      return permits.acquire(endpointId).then(
        () => true,
        () => false,
      )
    },

    /** Ends an attempt. The next ones begin, except those for a receiver that turned out slow. */
    end(endpointId: string, slow: boolean): void {
      progressAtMs.set(endpointId, performance.now())
      if (slow) rejectQueued(endpointId)
      permits.release(endpointId)
      if (permits.running(endpointId) === 0) progressAtMs.delete(endpointId)
    },

    /** Rejects what waits behind attempts of which none has ended for `silentMs`; returns their endpoints. */
    rejectStalled(silentMs: number): string[] {
      const before = performance.now() - silentMs
      const stalled = [...progressAtMs].filter(([id, atMs]) => atMs < before && permits.queued(id) > 0)
      for (const [endpointId] of stalled) rejectQueued(endpointId)
      return stalled.map(([endpointId]) => endpointId)
    },

    /** Rejects what waits, and everything that comes. */
    close(): void {
      closed = true
      for (const endpointId of progressAtMs.keys()) rejectQueued(endpointId)
    },
  }
}
