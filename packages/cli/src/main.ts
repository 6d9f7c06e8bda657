import { homedir } from 'node:os'
import { exitCodes } from './errors/exit-codes.ts'
import { realHost } from './host.ts'
import { run } from './run.ts'

const interruption = new AbortController()

process.on('SIGINT', () => {
  // A second Ctrl-C ends a command that does not stop by itself.
  if (interruption.signal.aborted) process.exit(exitCodes.interrupted)
  interruption.abort()
})

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader, such as `head`, has closed the pipe.
  if (error.code === 'EPIPE') process.exit(exitCodes.ok)
  throw error
})

// Not awaited: in the bundle, command files import this one, and a top-level await would block them.
void run(realHost(homedir(), interruption.signal), process.argv.slice(2)).then((exitCode) => {
  process.exitCode = exitCode
})
