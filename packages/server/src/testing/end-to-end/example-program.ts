import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const folder = fileURLToPath(new URL('../../../../../examples/', import.meta.url))

/** The path of a file of the examples. */
export const exampleFile = (file: string): string => path.join(folder, file)

/** An example that runs. */
export interface ExampleProgram {
  /** The next line of its output; fails when there is none any more. */
  line(): Promise<string>
  /** What is left of its output, once it has ended by itself. */
  rest(): Promise<string[]>
}

/** Starts an example with nothing but this environment; it is ended when the test is. */
export function startExample(file: string, env: Readonly<Record<string, string>>, ...args: string[]): ExampleProgram {
  const child = spawn(process.execPath, [exampleFile(file), ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill()
    await once(child, 'exit')
  })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  return {
    async line() {
      const { done, value } = await lines.next()
      if (done) throw new Error(`${file} has ended`)
      return value
    },
    async rest() {
      const rest: string[] = []
      for (let next = await lines.next(); !next.done; next = await lines.next()) rest.push(next.value)
      return rest
    },
  }
}
