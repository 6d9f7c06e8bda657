// How the scripts start other programs.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import path from 'node:path'

/** @import { ChildProcess, SpawnOptions } from 'node:child_process' */

const windows = process.platform === 'win32'

export const root = path.resolve(import.meta.dirname, '../..')

/**
 * The path of a program that an installed package brings.
 *
 * @param {string} name
 */
export const tool = (name) => path.join(root, 'node_modules', '.bin', windows ? `${name}.cmd` : name)

/**
 * Makes an error whose message is complete: it is printed without a stack.
 *
 * @param {string} message
 */
export const refusal = (message) => Object.assign(new Error(message), { expected: true })

/**
 * Returns whether an error is a {@link refusal}.
 *
 * @param {unknown} error
 * @returns {error is Error & { expected: true }}
 */
export const isRefusal = (error) => error instanceof Error && 'expected' in error && error.expected === true

/** @param {unknown} error */
export const messageOf = (error) => (error instanceof Error ? error.message : String(error))

/**
 * Returns what is printed of an error that is not a {@link refusal}.
 *
 * @param {unknown} error
 */
export const stackOf = (error) => (error instanceof Error ? error.stack : String(error))

/**
 * Runs a program from the root of the repository and returns its exit code, 1 when a signal ended it. `onStart`
 * receives its process.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {SpawnOptions & { onStart?: ((child: ChildProcess) => void) | undefined }} [options]
 * @returns {Promise<number>}
 */
export async function run(program, args, { onStart, ...options } = {}) {
  const child = spawn(program, args, { cwd: root, stdio: 'inherit', shell: windows, ...options })
  onStart?.(child)
  const [code] = await once(child, 'close')
  return code ?? 1
}

/**
 * Runs a program that is of no interest unless it fails: then its output is shown, and this throws.
 *
 * @param {string} what
 * @param {string} program
 * @param {readonly string[]} args
 * @param {string} [cwd]
 */
export async function runQuietly(what, program, args, cwd = root) {
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], shell: windows })
  /** @type {Buffer[]} */
  const output = []
  child.stdout.on('data', (chunk) => output.push(chunk))
  child.stderr.on('data', (chunk) => output.push(chunk))
  const [code, signal] = await once(child, 'close')
  if (code !== 0) throw refusal(`${Buffer.concat(output)}\n${what} failed (${signal ?? `exit code ${code}`}).`)
}

/**
 * Stops us, as if SIGTERM had come here, when our parent is gone, or npm above it. npm hands signals to the shell that
 * it runs us in. Some shells end without passing them on, and outlive npm when it is killed.
 */
export function stopWithParent() {
  const parent = process.ppid
  const npm = npmAbove(parent)
  const watch = setInterval(() => {
    if (process.ppid === parent && (npm === undefined || (parentOf(parent) ?? npm) === npm)) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, 250)
  watch.unref()
}

/**
 * Returns the npm that started a shell. Linux only: shells of other systems become the program that they run.
 *
 * @param {number} shell
 */
function npmAbove(shell) {
  try {
    const isOfNpm = readFileSync(`/proc/${shell}/environ`).includes('npm_lifecycle_event=')
    return isOfNpm ? parentOf(shell) : undefined
  } catch {
    return undefined
  }
}

/**
 * Returns the parent of a process, or undefined where it cannot be read.
 *
 * @param {number} pid
 */
function parentOf(pid) {
  try {
    // The name of the program, in brackets, may contain anything.
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')[1]
  } catch {
    return undefined
  }
}
