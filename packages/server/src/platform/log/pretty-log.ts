import type { DestinationStream } from 'pino'

/** Fields that a terminal does not need, or that stand at the begin of the line. */
const leftOut = new Set(['level', 'time', 'pid', 'msg', 'err', 'event'])

/**
 * Returns a destination that rewrites each JSON line for a person at a terminal: time, level, text, then the other
 * fields.
 */
export function prettyLines(destination: DestinationStream): DestinationStream {
  return { write: (line) => destination.write(prettyLine(line)) }
}

function prettyLine(line: string): string {
  const fields = JSON.parse(line) as Record<string, unknown>
  const { level, time, msg, err } = fields
  const others = Object.entries(fields).flatMap(([name, value]) =>
    leftOut.has(name) || value === null || value === undefined ? [] : [`${name}=${valueText(value)}`],
  )
  const begin = `${String(time).slice(11, 23)} ${String(level).toUpperCase().padEnd(5)} ${String(msg)}`
  return `${[begin, ...others].join(' ')}\n${errorText(err)}`
}

function valueText(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function errorText(err: unknown): string {
  if (typeof err !== 'object' || err === null) return ''
  const { stack, message } = err as { stack?: string; message?: string }
  return `${(stack ?? message ?? '').replaceAll(/^/gm, '  ')}\n`
}
