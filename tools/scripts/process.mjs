// How the scripts start other programs.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'

const windows = process.platform === 'win32'

export const root = path.resolve(import.meta.dirname, '../..')

/** The path of a program that an installed package brings. */
export const tool = (name) => path.join(root, 'node_modules', '.bin', windows ? `${name}.cmd` : name)

/** Makes an error whose message is complete: it is printed without a stack. */
export const refusal = (message) => Object.assign(new Error(message), { expected: true })

/**
 * Runs a program from the root of the repository and returns its exit code, 1 when a signal ended it. `onStart` receives its process.
 */
export async function run(program, args, { onStart, ...options } = {}) {
  const child = spawn(program, args, { cwd: root, stdio: 'inherit', shell: windows, ...options })
  onStart?.(child)
  const [code] = await once(child, 'close')
  return code ?? 1
}

/** Runs a program that is of no interest unless it fails: then its output is shown, and this throws. */
export async function runQuietly(what, program, args, cwd = root) {
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], shell: windows })
  const output = []
  child.stdout.on('data', (chunk) => output.push(chunk))
  child.stderr.on('data', (chunk) => output.push(chunk))
  const [code, signal] = await once(child, 'close')
  if (code !== 0) throw refusal(`${Buffer.concat(output)}\n${what} failed (${signal ?? `exit code ${code}`}).`)
}

/**
 * npm hands SIGTERM to the shell it runs us in, and some shells end without passing it on. When our parent is gone we stop as if the
 * signal had come here.
 */
export function stopWithParent() {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, 250)
  watch.unref()
}
