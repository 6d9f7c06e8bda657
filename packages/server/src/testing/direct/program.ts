import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'

/** The gateway host is a package outside of the workspace, which `npm run proof -- direct` compiles. */
const compiled = path.resolve(import.meta.dirname, '../../../../../gateway-host/dist')

/** A compiled program of the gateway host that runs. */
export interface Program {
  /** The first line that it wrote. */
  readonly facts: Readonly<Record<string, string>>
  /** Ends it with a signal (default: SIGTERM) and waits for its end. */
  end(signal?: NodeJS.Signals): Promise<void>
}

/** How a program is started: its settings, and who receives what it writes to either stream. */
interface ProgramOptions {
  readonly env: Readonly<Record<string, string>>
  readonly onOutput: (text: string) => void
}

/** Starts a compiled program and waits for its first line, which is JSON. Throws an Error when it ends before. */
export async function startProgram(file: string, { env, onOutput }: ProgramOptions): Promise<Program> {
  const child = spawn(process.execPath, [path.join(compiled, file)], {
    env: { PATH: process.env.PATH, ...env },
    // It ends when its input does, so that none is left when the tests are killed.
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const begun: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      if (begun.length < 20) begun.push(text)
      onOutput(text)
    })
  }
  const exited = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })
  const first = await Promise.race([once(lines, 'line'), exited.then(() => null)])
  lines.close()
  child.stdout.resume()
  if (!first) throw new Error(`${file} ended; compile it with npm run proof -- direct. ${begun.join('')}`)
  return {
    facts: JSON.parse(String(first[0])) as Record<string, string>,
    async end(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      await exited
    },
  }
}
