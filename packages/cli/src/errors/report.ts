import type { MessagingError } from '@msgctl/client'
import { safeJson, safeLine, safeText } from '../output/terminal-text.ts'
import type { World } from '../world.ts'
import { adviceFor, doubtAbout } from './advice.ts'
import { exitCodeOfApi, exitCodes } from './exit-codes.ts'
import { CliFailure } from './failure.ts'

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
export function reportOf(error: unknown): Report {
  if (error instanceof CliFailure) {
    const { code, message, exitCode, advice, details } = error
    return { code, message, exitCode, advice, details }
  }
  if (isApiError(error)) {
    const { code, message, details, issues, requestId } = error
    const exitCode = exitCodeOfApi(error)
    if (exitCode === exitCodes.interrupted) return interruptionIn(error)
    return { code, message, exitCode, advice: adviceFor(error), details, issues, requestId }
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
  if (failure instanceof CliFailure && failure.code === interrupted.code) return reportOf(failure)
  if (!isApiError(failure) || failure.outcome !== 'unknown') return interrupted
  return { ...interrupted, advice: doubtAbout(failure.endpoint), details: { outcome: 'unknown' } }
}

/** The report for people: what, why, what to do, and the id to ask support with. */
function forPeople({ code, message, advice, issues, requestId }: Report): string {
  if (code === interrupted.code) return `${[message, advice].filter(Boolean).join(' ')}\n`
  const id = requestId === undefined ? '' : `, request id ${requestId}`
  const lines = [
    `Error: ${safeText(message)}`,
    // A single fault is often the whole message already.
    ...(issues ?? [])
      .filter((issue) => !message.includes(issue.message))
      .map(({ field, message: why }) => `  ${safeLine(field)}: ${safeLine(why)}`),
    ...(advice === undefined ? [] : [`What to do: ${safeText(advice)}`]),
    safeLine(`(${code}${id})`),
  ]
  return `${lines.join('\n')}\n`
}

/** The report for programs: the envelope of the API's own errors. */
function envelope({ code, message, details, issues, requestId }: Report): string {
  const error = { code, message, details, issues, requestId }
  return `${safeJson(JSON.stringify({ success: false, error }))}\n`
}

/** Writes the report to stderr; stdout is for data. */
export function writeReport(world: World, report: Report, forPrograms: boolean): void {
  world.stderr.write(forPrograms ? envelope(report) : forPeople(report))
}
