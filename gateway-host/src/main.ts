// A gateway host: holds the connections of numbers. Settings come from the environment; docs/run/own-sockets.md lists
// them.
import { setDefaultResultOrder } from 'node:dns'
import { HostConfigError, readHostConfig } from './process/config.ts'
import { createHostLog } from './process/log.ts'
import { filterOutput } from './process/output-filter.ts'

// A number without a proxy keeps the family of its address from login to login.
setDefaultResultOrder('ipv4first')
// Before anything else is loaded: libraries write to the console.
const write = filterOutput()

/** Without its database, a host cannot release its leases; they end by themselves. */
const endWithinMs = 10_000

try {
  const config = readHostConfig(process.env)
  const log = createHostLog(config.logLevel, write)
  process.on('unhandledRejection', (err) =>
    log.error({ event: 'unhandled_rejection', err }, 'a promise failed unhandled'),
  )
  const { startHost } = await import('./process/start-host.ts')
  const host = await startHost(config, log)
  log.info({ event: 'listening', address: host.url, metrics: host.metricsUrl }, 'listening')
  let stopping = false
  const stop = () => {
    if (stopping) return
    stopping = true
    setTimeout(() => process.exit(1), endWithinMs).unref()
    host.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop)
  if (config.endsWithInput) process.stdin.on('end', stop).on('error', stop).resume()
} catch (error) {
  const reason =
    error instanceof HostConfigError ? error.message : `The host could not start: ${(error as Error).message}`
  write(`${JSON.stringify({ level: 'fatal', event: 'start_failed', reason })}\n`)
  process.exitCode = 1
}
