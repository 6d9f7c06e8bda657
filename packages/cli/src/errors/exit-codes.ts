import { exitCodes as apiExitCodes, findErrorFacts } from '@msgctl/contract/error-table'
import { CliError } from './cli-error.ts'

/** How msgctl ends. The classes of the API's errors come from the contract's table; the others are msgctl's own. */
export const exitCodes = {
  ok: 0,
  ...apiExitCodes,
  /** Some of what was asked was done, and some was not. */
  partlyDone: 9,
  /** A change may have had its effect, and nobody can say. */
  outcomeUnknown: 10,
  /** What was waited for failed. */
  waitFailed: 11,
  /** What was waited for did not come in time, or could no longer be watched. */
  waitTimedOut: 12,
  interrupted: 130,
} as const

/** The facts of an error of the client that the exit code depends on. */
export interface ApiFailure {
  readonly code: string
  readonly status?: number | undefined
  readonly outcome?: string | undefined
}

/** The classes of codes that are newer than the table, and of answers that are not the service's. */
function byStatus(status: number | undefined): number {
  if (status === undefined) return exitCodes.unexpected
  if (status >= 500) return exitCodes.down
  const classes: Readonly<Record<number, number>> = {
    400: exitCodes.usage,
    401: exitCodes.auth,
    403: exitCodes.forbidden,
    404: exitCodes.notFound,
    409: exitCodes.conflict,
    429: exitCodes.quota,
  }
  return classes[status] ?? exitCodes.unexpected
}

/** The exit code of an error of the API or of the connection to it. */
export function apiExitCode(failure: ApiFailure): number {
  if (failure.code === 'ABORTED') return exitCodes.interrupted
  if (failure.outcome === 'unknown') return exitCodes.outcomeUnknown
  if (failure.code === 'CONNECTION_FAILED' || failure.code === 'TIMEOUT') return exitCodes.down
  const facts = findErrorFacts(failure.code)
  return facts ? apiExitCodes[facts.exit] : byStatus(failure.status)
}

/** A mistake in what was typed. */
export function usageFailure(message: string, advice?: string): CliError {
  return new CliError(message, { code: 'USAGE', exitCode: exitCodes.usage, advice })
}
