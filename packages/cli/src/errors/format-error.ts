import type { MessagingError } from '@msgctl/client'
import type { Host } from '../host.ts'
import { sanitizeJson, sanitizeLine, sanitizeText } from '../output/sanitize.ts'
import { CliError } from './cli-error.ts'
import { apiExitCode, exitCodes } from './exit-codes.ts'
import { findHint, unknownOutcomeHint } from './hint.ts'
import { inOwnWords } from './own-words.ts'

/** An error in the form in which it is reported. */
export interface Report {
  readonly code: string
  readonly message: string
  readonly exitCode: number
  readonly advice?: string | undefined
  readonly details?: unknown
  readonly issues?: readonly { readonly field: string; readonly message: string }[] | undefined
  readonly requestId?: string | undefined
}

/** Recognized by its name, because the client is loaded only by commands that call the service. */
export function isApiError(error: unknown): error is MessagingError {
  return error instanceof Error && error.name === 'MessagingError'
}

/** Converts any error to a report. */
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
  // An argument cannot be part of a request path. The client puts the call before its message; remove that.
  if ((error as { code?: unknown } | null)?.code === 'INVALID_INPUT') {
    return { code: 'USAGE', message: message.replace(/^[A-Z]+ \/\S*: /, ''), exitCode: exitCodes.usage }
  }
  return {
    code: 'UNEXPECTED',
    message,
    exitCode: exitCodes.unexpected,
    advice: 'This is a bug in msgctl; please report it.',
  }
}

/** Ctrl-C. */
export const interrupted: Report = {
  code: 'INTERRUPTED',
  message: 'Interrupted.',
  exitCode: exitCodes.interrupted,
}

/** Reports Ctrl-C. If a request was under way, the report says that its outcome is unknown. */
export function interruptionIn(failure: unknown): Report {
  if (failure instanceof CliError && failure.code === interrupted.code) return toReport(failure)
  if (!isApiError(failure) || failure.outcome !== 'unknown') return interrupted
  return { ...interrupted, advice: unknownOutcomeHint(failure.endpoint), details: { outcome: 'unknown' } }
}

/** Returns the report as text: message, issues, what to do, and the request id for support. */
function toHumanText({ code, message, advice, issues, requestId }: Report): string {
  if (code === interrupted.code) return `${[message, advice].filter(Boolean).join(' ')}\n`
  const id = requestId === undefined ? '' : `, request id ${requestId}`
  const lines = [
    `Error: ${sanitizeText(inOwnWords(message))}`,
    // The message often contains a single issue already.
    ...(issues ?? [])
      .filter((issue) => !message.includes(issue.message))
      .map(({ field, message: why }) => `  ${sanitizeLine(inOwnWords(field))}: ${sanitizeLine(why)}`),
    ...(advice === undefined ? [] : [`What to do: ${sanitizeText(advice)}`]),
    sanitizeLine(`(${code}${id})`),
  ]
  return `${lines.join('\n')}\n`
}

/** Returns the report as the API's error envelope. */
function envelope({ code, message, details, issues, requestId }: Report): string {
  const error = { code, message, details, issues, requestId }
  return `${sanitizeJson(JSON.stringify({ success: false, error }))}\n`
}

/** Writes the report to stderr. */
export function writeReport(host: Host, report: Report, isMachineReadable: boolean): void {
  host.stderr.write(isMachineReadable ? envelope(report) : toHumanText(report))
}
