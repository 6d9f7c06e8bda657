import { type Logger, pino } from 'pino'

/** The part of a logger that a host uses. */
export interface HostLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

/** Fields of an error that are logged. The others could quote a row, an address or a text. */
const errorFields = ['code', 'kind', 'outcome', 'constraint', 'table'] as const

function errorFacts(error: unknown): object {
  if (!(error instanceof Error)) return { name: typeof error }
  const facts = errorFields.flatMap((name) => (name in error ? [[name, Reflect.get(error, name)]] : []))
  // Messages of foreign errors are not ours, and may contain anything.
  return { name: error.name, ...Object.fromEntries(facts), stack: frames(error.stack) }
}

/** Returns the lines of a stack without the message before them. */
function frames(stack: string | undefined): string {
  return (stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 8)
    .map((line) => line.trim())
    .join(' | ')
}

/** Creates the logger of a host: JSON lines through the one way that the output filter leaves. */
export function createHostLog(level: string, write: (line: string) => void): Logger {
  const options = {
    level,
    serializers: { err: errorFacts },
    formatters: { level: (label: string) => ({ level: label }) },
    timestamp: pino.stdTimeFunctions.isoTime,
    base: { pid: process.pid },
  }
  return pino(options, { write })
}
