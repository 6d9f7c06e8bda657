import { homedir } from 'node:os'
import { exitCodes } from './errors/exit-codes.ts'
import { realHost } from './host.ts'
import { run } from './run.ts'

const interruption = new AbortController()

process.on('SIGINT', () => {
  // The second Ctrl-C is for a command that does not end by itself.
  if (interruption.signal.aborted) process.exit(exitCodes.interrupted)
  interruption.abort()
})

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader has seen enough, as `head` has: nobody is left to print for.
  if (error.code === 'EPIPE') process.exit(exitCodes.ok)
  throw error
})

// Not awaited here: in the bundle the files of commands import this one, and would wait for its end.
void run(realHost(homedir(), interruption.signal), process.argv.slice(2)).then((exitCode) => {
  process.exitCode = exitCode
})
