/** What a {@link CliError} says beside its message. */
export interface CliErrorFacts {
  /** A stable word for scripts, as in the error envelope. */
  readonly code: string
  readonly exitCode: number
  /** What to do about it, as a sentence. */
  readonly advice?: string | undefined
  readonly details?: unknown
}

/** A failure that msgctl itself found, without asking the service or after it answered. */
export class CliError extends Error {
  readonly code: string
  readonly exitCode: number
  readonly advice: string | undefined
  readonly details: unknown

  constructor(message: string, facts: CliErrorFacts) {
    super(message)
    this.code = facts.code
    this.exitCode = facts.exitCode
    this.advice = facts.advice
    this.details = facts.details
  }
}
