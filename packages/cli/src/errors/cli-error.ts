/** The facts of a {@link CliError} besides its message. */
export interface CliErrorFacts {
  /** A stable code for scripts, as in the error envelope. */
  readonly code: string
  readonly exitCode: number
  /** What to do, as a sentence. */
  readonly advice?: string | undefined
  readonly details?: unknown
}

/** An error that msgctl found itself, before or after calling the service. */
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
