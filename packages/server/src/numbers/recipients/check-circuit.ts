import type { Gateway } from '@msgctl/network/gateway'

/** Consecutive failed checks of different recipients after which a number is not used for checks for a while. */
const opensAfter = 3

/** How long the circuit stays open, in service time. After that, one more failed check opens it again. */
const openForMs = 30_000

interface Trouble {
  /** The recipients of the failed checks: one whose check always times out is no evidence about the network. */
  readonly about: Set<string>
  openUntilMs: number
}

/** The circuits by gateway, in this process only. */
const troubles = new WeakMap<Gateway, Map<string, Trouble>>()

/** Stops checks through a number for which the network does not respond, as seen by this process. */
export interface CheckCircuit {
  /** Milliseconds until the next check may begin; 0 when it may begin now. */
  openMs(now: Date): number
  /** Records a response of the network. */
  recordSuccess(): void
  /** Records a check without a response; `about` is one of its recipients. */
  recordFailure(about: string, now: Date): void
}

/** Returns the circuit of one number at one gateway. */
export function checkCircuit(gateway: Gateway, containerId: string): CheckCircuit {
  const known = troubles.get(gateway) ?? new Map<string, Trouble>()
  troubles.set(gateway, known)
  return {
    openMs: (now) => Math.max(0, (known.get(containerId)?.openUntilMs ?? 0) - now.getTime()),
    recordSuccess: () => void known.delete(containerId),
    recordFailure(about, now) {
      const trouble = known.get(containerId) ?? { about: new Set(), openUntilMs: 0 }
      known.set(containerId, trouble)
      if (trouble.about.size < opensAfter) trouble.about.add(about)
      if (trouble.about.size >= opensAfter) trouble.openUntilMs = now.getTime() + openForMs
    },
  }
}
