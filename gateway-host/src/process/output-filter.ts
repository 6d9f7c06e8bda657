/**
 * Drops everything that a library writes by itself. The Signal library writes sessions with their private keys to the
 * console, and texts could reach the output the same way. Call it before the library is loaded. Returns the only way to
 * write: one line of our own log.
 */
export function filterOutput(
  streams: readonly NodeJS.WriteStream[] = [process.stdout, process.stderr],
): (line: string) => void {
  for (const name of ['log', 'info', 'warn', 'error', 'debug', 'trace', 'dir', 'table'] as const) {
    console[name] = () => undefined
  }
  const [output] = streams
  const write = output?.write.bind(output)
  for (const stream of streams) {
    stream.write = ((_chunk: unknown, encoding?: unknown, callback?: unknown) => {
      const done = typeof encoding === 'function' ? encoding : callback
      if (typeof done === 'function') done()
      return true
    }) as typeof stream.write
  }
  return (line) => void write?.(line)
}
