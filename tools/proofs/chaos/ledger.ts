/** A text that was asked for: its recipient has to get it, once. */
interface Ordered {
  readonly text: string
  readonly recipient: string
  /** The message that the service answered with; null where it names none. */
  messageId: string | null
  /** The person is one whom nothing reaches, so that it ends as failed. */
  readonly fails: boolean
}

/** A one-time code that was asked for. */
interface Code {
  readonly phone: string
  /** What the request was answered with; null where it failed for good. */
  requestId: string | null
  /** How often a try was answered with verified: true. */
  verified: number
}

/** What was asked of the service and answered by it. Everybody is written to only once. */
export interface Ledger {
  readonly ordered: Ordered[]
  readonly codes: Code[]
  readonly campaigns: string[]
  readonly reminders: string[]
  /** What was wrong with answers, in sentences. */
  readonly complaints: string[]
  /** Work that is awaited at the end only; its errors are complaints. */
  later(work: Promise<void>): void
  /** Resolves when all of that is done. */
  done(): Promise<void>
  /** A person who has got no message yet, as digits. */
  person(): string
  /** The same for a person of the simulated network with these last four digits. */
  special(last: string): string
}

/** An empty ledger. */
export function openLedger(): Ledger {
  let people = 0
  let specials = 0
  const complaints: string[] = []
  const pending: Promise<void>[] = []
  return {
    ordered: [],
    codes: [],
    campaigns: [],
    reminders: [],
    complaints,
    later(work) {
      pending.push(work.catch((error: unknown) => void complaints.push(String(error))))
    },
    done: async () => void (await Promise.all(pending)),
    person() {
      const n = people++
      return `1${210 + Math.floor(n / 10_000)}556${String(n % 10_000).padStart(4, '0')}`
    },
    special: (last) => `1${210 + (specials++ % 780)}555${last}`,
  }
}
