import { type DestinationStream, type Logger, pino } from 'pino'

/** Names under which a secret or the words of a message could be logged by mistake; they never come out. */
const hiddenNames = [
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
  '["x-api-key"]',
]

const redactedPaths = hiddenNames.flatMap((name) => {
  return name.startsWith('[') ? [name, `*${name}`, `*.*${name}`] : [name, `*.${name}`, `*.*.${name}`]
})

/** A logger of JSON lines at `level`, to standard output unless told otherwise. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    redact: { paths: redactedPaths, censor: '[hidden]' },
    serializers: { err: errorFacts },
    formatters: { level: (label: string) => ({ level: label }) },
    timestamp: pino.stdTimeFunctions.isoTime,
    base: { pid: process.pid },
  }
  return destination ? pino(options, destination) : pino(options)
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
