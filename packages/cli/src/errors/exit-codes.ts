import { exitCodes as apiExitCodes, findErrorFacts } from '@msgctl/contract/error-table'
import { CliError } from './cli-error.ts'

/** The exit codes. Those of API errors come from the contract's error table; the others are msgctl's own. */
export const exitCodes = {
  ok: 0,
  ...apiExitCodes,
  /** Only part of the request was carried out. */
  partlyDone: 9,
  /** It is unknown whether a change was made. */
  outcomeUnknown: 10,
  /** The awaited operation failed. */
  waitFailed: 11,
  /** The awaited state was not reached in time, or could no longer be read. */
  waitTimedOut: 12,
  interrupted: 130,
} as const

/** The properties of a client error that determine the exit code. */
export interface ApiFailure {
  readonly code: string
  readonly status?: number | undefined
  readonly outcome?: string | undefined
}

/** Returns the exit code by status, for error codes newer than the table and for responses of proxies. */
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

/** Returns the exit code of an error of the API or of the connection to it. */
export function apiExitCode(failure: ApiFailure): number {
  if (failure.code === 'ABORTED') return exitCodes.interrupted
  if (failure.outcome === 'unknown') return exitCodes.outcomeUnknown
  if (failure.code === 'CONNECTION_FAILED' || failure.code === 'TIMEOUT') return exitCodes.down
  const facts = findErrorFacts(failure.code)
  return facts ? apiExitCodes[facts.exit] : byStatus(failure.status)
}

/** Creates an error for a thing that does not exist. */
export function notFound(message: string, advice: string): CliError {
  return new CliError(message, { code: 'NOT_FOUND', exitCode: exitCodes.notFound, advice })
}

/** Creates a usage error: invalid arguments, options or input. */
export function usageFailure(message: string, advice?: string): CliError {
  return new CliError(message, { code: 'USAGE', exitCode: exitCodes.usage, advice })
}
