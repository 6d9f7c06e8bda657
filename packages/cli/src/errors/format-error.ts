import type { MessagingError } from '@msgctl/client'
import type { Host } from '../host.ts'
import { sanitizeJson, sanitizeLine, sanitizeText } from '../output/sanitize.ts'
import { CliError } from './cli-error.ts'
import { apiExitCode, exitCodes } from './exit-codes.ts'
import { findHint, unknownOutcomeHint } from './hint.ts'

/** A failure in the words it is reported in, whoever found it. */
export interface Report {
  readonly code: string
  readonly message: string
  readonly exitCode: number
  readonly advice?: string | undefined
  readonly details?: unknown
  readonly issues?: readonly { readonly field: string; readonly message: string }[] | undefined
  readonly requestId?: string | undefined
}

/** By its name: the client is loaded only by commands that call the service. */
function isApiError(error: unknown): error is MessagingError {
  return error instanceof Error && error.name === 'MessagingError'
}

/** What a failure is called, why it happened, what to do, and how msgctl ends. */
export function toReport(error: unknown): Report {
  if (error instanceof CliError) {
    const { code, message, exitCode, advice, details } = error
    return { code, message, exitCode, advice, details }
  }
  if (isApiError(error)) {
    const { code, message, details, issues, requestId } = error
    const exitCode = apiExitCode(error)
    if (exitCode === exitCodes.interrupted) return interruptionIn(error)
    return { code, message, exitCode, advice: findHint(error), details, issues, requestId }
  }
  const message = error instanceof Error ? error.message : String(error)
  // What was typed cannot stand in the path of a request; the client names the call before its sentence.
  if ((error as { code?: unknown } | null)?.code === 'INVALID_INPUT') {
    return { code: 'USAGE', message: message.replace(/^[A-Z]+ \/\S*: /, ''), exitCode: exitCodes.usage }
  }
  return { code: 'UNEXPECTED', message, exitCode: exitCodes.unexpected, advice: 'This is a fault of msgctl itself.' }
}

/** Ctrl-C. */
export const interrupted: Report = {
  code: 'INTERRUPTED',
  message: 'Interrupted.',
  exitCode: exitCodes.interrupted,
}

/** Ctrl-C, as the failure it led to tells it: a change that was under way may have had its effect. */
export function interruptionIn(failure: unknown): Report {
  if (failure instanceof CliError && failure.code === interrupted.code) return toReport(failure)
  if (!isApiError(failure) || failure.outcome !== 'unknown') return interrupted
  return { ...interrupted, advice: unknownOutcomeHint(failure.endpoint), details: { outcome: 'unknown' } }
}

/** The report for people: what, why, what to do, and the id to ask support with. */
function toHumanText({ code, message, advice, issues, requestId }: Report): string {
  if (code === interrupted.code) return `${[message, advice].filter(Boolean).join(' ')}\n`
  const id = requestId === undefined ? '' : `, request id ${requestId}`
  const lines = [
    `Error: ${sanitizeText(message)}`,
    // A single fault is often the whole message already.
    ...(issues ?? [])
      .filter((issue) => !message.includes(issue.message))
      .map(({ field, message: why }) => `  ${sanitizeLine(field)}: ${sanitizeLine(why)}`),
    ...(advice === undefined ? [] : [`What to do: ${sanitizeText(advice)}`]),
    sanitizeLine(`(${code}${id})`),
  ]
  return `${lines.join('\n')}\n`
}

/** The report for programs: the envelope of the API's own errors. */
function envelope({ code, message, details, issues, requestId }: Report): string {
  const error = { code, message, details, issues, requestId }
  return `${sanitizeJson(JSON.stringify({ success: false, error }))}\n`
}

/** Writes the report to stderr; stdout is for data. */
export function writeReport(host: Host, report: Report, forPrograms: boolean): void {
  host.stderr.write(forPrograms ? envelope(report) : toHumanText(report))
}
