import type { Gateway } from '../gateway/gateway.ts'

/** Unanswered questions in a row, each about other people, after which nobody asks through a number for a while. */
const opensAfter = 3

/** How long nobody asks then, in service time. Afterwards one more unanswered question is enough to open it again. */
const openForMs = 30_000

interface Trouble {
  /** Whom the unanswered questions were about: one person whose check never ends says nothing about the network. */
  readonly about: Set<string>
  openUntilMs: number
}

/** The numbers in trouble, by gateway: what one process learnt saves the others nothing, and costs them nothing. */
const troubles = new WeakMap<Gateway, Map<string, Trouble>>()

/** Whether asking the network through one number is worth while, as far as this process has seen. */
export interface CheckCircuit {
  /** How long nobody should ask, in milliseconds; 0 when asking is fine. */
  openMs(now: Date): number
  /** Hears of an answer: the network is there. */
  recordSuccess(): void
  /** Hears of a question that had no answer; `about` is somebody it was about. */
  recordFailure(about: string, now: Date): void
}

/** The circuit of one number at one gateway. */
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
