import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../db/embedded/postmaster.ts'

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

/** A busy machine takes its time to load a process. */
const readyWithinMs = 60_000

/** A part of the service in a process of its own, which can be killed and comes back at the same place. */
export interface ServiceProcess {
  /** Like `http://127.0.0.1:40123`; of the API, or of the probes of a worker. */
  readonly address: string
  /** Ends it as a crash does, starts it anew, and resolves when it is ready. Throws when it had ended by itself. */
  crash(): Promise<void>
  /** Ends it for good. Throws when it had ended by itself. */
  end(): Promise<void>
}

/** Starts an API or a worker with these settings of the environment; buildServer has to have run. */
export async function startServiceProcess(
  role: 'api' | 'worker',
  env: Readonly<Record<string, string>>,
): Promise<ServiceProcess> {
  const port = String(await freePort())
  const address = `http://127.0.0.1:${port}`
  const place = role === 'api' ? { PORT: port } : { METRICS_PORT: port }
  let child: ChildProcess

  async function begin(): Promise<void> {
    child = spawn(process.execPath, [main, 'serve'], {
      env: { PATH: process.env.PATH, LOG_LEVEL: 'silent', ...env, ...place, SERVICES: role },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    for (const until = performance.now() + readyWithinMs; !(await isReady()); await wait(50)) {
      if (child.exitCode !== null) throw new Error(`the ${role} ended with ${child.exitCode} before it was ready`)
      if (performance.now() > until) throw new Error(`the ${role} was not ready in time`)
    }
  }

  function isReady(): Promise<boolean> {
    return fetch(`${address}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  }

  async function kill(): Promise<void> {
    if (child.exitCode !== null) throw new Error(`the ${role} had ended by itself with ${child.exitCode}`)
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }

  await begin()
  return {
    address,
    async crash() {
      await kill()
      await begin()
    },
    end: kill,
  }
}
