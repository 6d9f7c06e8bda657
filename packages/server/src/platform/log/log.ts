import { type DestinationStream, pino } from 'pino'
import type { Log } from './log-events.ts'
import { prettyLines } from './pretty-log.ts'

/** Fields that could hold a secret or the text of a message by mistake; their values are never logged. */
const hiddenNames = new Set([
  'apiKey',
  'authorization',
  'caption',
  'content',
  'cookie',
  'otp',
  'password',
  'phone',
  'phones',
  'qr',
  'recipient',
  'recipients',
  'secret',
  'signingSecret',
  'template',
  'text',
  'token',
  'url',
  'variables',
  'webhookUrl',
  'x-api-key',
])

/** How deep nested fields are checked. */
const hiddenDepth = 3

/** The form of the lines: JSON for programs, pretty for a person at a terminal. */
export type LogFormat = 'json' | 'pretty'

/** Creates a logger of lines at `level` (default destination: standard output; default format: JSON). */
export function createLogger(level: string, destination?: DestinationStream, format: LogFormat = 'json'): Log {
  const options = {
    level,
    serializers: { err: errorFacts },
    formatters: {
      level: (label: string) => ({ level: label }),
      log: (fields: Record<string, unknown>) => hideSecrets(fields),
    },
    timestamp: pino.stdTimeFunctions.isoTime,
    base: { pid: process.pid },
  }
  const lines = destination ?? standardOutput()
  return pino(options, format === 'pretty' ? prettyLines(lines) : lines)
}

let isGuarded = false

/**
 * Returns standard output. Lines that cannot be written, because the terminal is closed or the reader is gone, are
 * lost; pino's own stream retries a closed terminal for ever and keeps a stopping process from ending. The lines of one
 * run of the event loop are written together, also those before the process exits.
 */
function standardOutput(): DestinationStream {
  const { stdout } = process
  if (!isGuarded) {
    stdout.on('error', () => undefined)
    process.on('exit', () => stdout.uncork())
  }
  isGuarded = true
  let isCorked = false
  function uncork(): void {
    isCorked = false
    stdout.uncork()
  }
  return {
    write(line) {
      if (!isCorked) {
        isCorked = true
        stdout.cork()
        setImmediate(uncork)
      }
      stdout.write(line)
    },
  }
}

/**
 * Returns the fields of a line without secrets; the same object where nothing is hidden, which is nearly always.
 * Checking each name costs a tenth of pino's own redaction, which tries every path on every line.
 */
function hideSecrets(fields: Record<string, unknown>, depth = hiddenDepth): Record<string, unknown> {
  let shown = fields
  for (const [name, value] of Object.entries(fields)) {
    const hidden = hiddenNames.has(name) ? '[hidden]' : isNested(value, depth) ? hideSecrets(value, depth - 1) : value
    if (hidden === value) continue
    if (shown === fields) shown = { ...fields }
    shown[name] = hidden
  }
  return shown
}

/** Errors are left to {@link errorFacts}, which names the fields that are logged. */
function isNested(value: unknown, depth: number): value is Record<string, unknown> {
  return depth > 1 && typeof value === 'object' && value !== null && !(value instanceof Error)
}

/**
 * Returns the fields of an error that are logged. A database error also has fields that quote the row at fault, with
 * all its text; so the fields to log are listed, not those to hide.
 */
function errorFacts(error: unknown): object {
  if (!(error instanceof Error)) return { message: typeof error }
  const { name, message, stack, cause } = error
  const facts: Record<string, unknown> = { name, message, stack }
  for (const key of ['code', 'constraint', 'table', 'kind', 'outcome', 'status']) {
    if (key in error) facts[key] = Reflect.get(error, key)
  }
  return cause instanceof Error ? { ...facts, cause: errorFacts(cause) } : facts
}
