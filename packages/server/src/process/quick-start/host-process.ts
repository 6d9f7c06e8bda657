import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/** What a gateway host needs beside its program. */
export interface HostProcessSettings {
  readonly program: string
  readonly databaseUrl: string
  readonly secretsKeys: string
  readonly env: NodeJS.ProcessEnv
}

const restartMs = 2000
const endWithinMs = 5000

/**
 * Runs a gateway host beside the service, and starts it again when it ends. Returns what stops it: its leases are
 * released, so that the next start connects its numbers at once.
 */
export function runGatewayHost({ program, databaseUrl, secretsKeys, env }: HostProcessSettings): () => Promise<void> {
  let child: ChildProcess
  let isStopping = false
  let timer: NodeJS.Timeout | undefined
  const start = () => {
    child = spawn(process.execPath, [program], {
      env: { ...env, DATABASE_URL: databaseUrl, SECRETS_KEYS: secretsKeys, GATEWAY_END_WITH_INPUT: '1' },
      // The system closes its input when this process dies, by whatever signal: then the host ends, too.
      stdio: ['pipe', 'inherit', 'inherit'],
    })
    child.on('error', () => undefined)
    child.on('exit', () => {
      if (!isStopping) timer = setTimeout(start, restartMs)
    })
  }
  start()
  return async () => {
    isStopping = true
    clearTimeout(timer)
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    const force = setTimeout(() => child.kill('SIGKILL'), endWithinMs)
    await ended
    clearTimeout(force)
  }
}
