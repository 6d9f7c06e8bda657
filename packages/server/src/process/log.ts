import { type DestinationStream, type Logger, pino } from 'pino'

/** Names under which a secret or the words of a message could be logged by mistake; they never come out. */
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

/** Fields of fields are looked at this deep. */
const hiddenDepth = 3

/** A logger of JSON lines at `level`, to standard output unless told otherwise. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
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
  return pino(options, destination ?? standardOutput())
}

let isGuarded = false

/**
 * Standard output. What cannot be written because the terminal was closed, or whoever reads is gone, is lost; pino's own
 * stream tries a closed terminal for ever, and keeps a process that was told to stop from ending.
 */
function standardOutput(): DestinationStream {
  if (!isGuarded) process.stdout.on('error', () => undefined)
  isGuarded = true
  return { write: (line) => void process.stdout.write(line) }
}

/**
 * The fields of a line without what may not come out; the same object where nothing is hidden, which is nearly always. One
 * look at each name costs a tenth of what pino's own redaction, which tries every path on every line, takes.
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

/** An error is left to {@link errorFacts}, which names what it tells. */
function isNested(value: unknown, depth: number): value is Record<string, unknown> {
  return depth > 1 && typeof value === 'object' && value !== null && !(value instanceof Error)
}

/**
 * What a log line tells of an error. A database error also has fields that quote the row at fault, with all its text; so
 * the fields are named here, not left out.
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
