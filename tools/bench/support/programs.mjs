// Programs that a benchmark measures: each in a process of its own, so that none shares its time with the one who asks.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** @import { ChildProcess } from 'node:child_process' */

/** @typedef {Awaited<ReturnType<typeof startProgram>>} Program A started program. */

/** @type {Set<ChildProcess>} */
const children = new Set()
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})
// A benchmark that is cut off must not leave its programs behind.
process.once('SIGTERM', () => process.exit(1))

/**
 * Starts a module of this folder, or a compiled one of the server, and returns the addresses in the first line of it
 * that has some; `address` is the first of these. `stop` ends the process that was started.
 * @param {URL} file
 * @param {Record<string, string>} env
 * @param {string[]} [args]
 */
export async function startProgram(file, env, args = []) {
  const { BENCH_PROFILE } = process.env
  const flags = BENCH_PROFILE === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${BENCH_PROFILE}`]
  const child = spawn(process.execPath, [...flags, fileURLToPath(file), ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.add(child)
  /** @typedef {[string, ...string[]]} Addresses */
  /** @type {Addresses} */
  const addresses = await new Promise((resolve, reject) => {
    let printed = ''
    child.stdout.on('data', (chunk) => {
      printed = (printed + chunk).slice(-10_000)
      const [found] = printed.match(/^.*http:\/\/127\.0\.0\.1:\d+.*\n/m) ?? []
      if (found) resolve(/** @type {Addresses} */ (found.match(/http:\/\/127\.0\.0\.1:\d+/g)))
    })
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code} before it listened: ${printed}`)))
  })
  return {
    address: addresses[0],
    addresses,
    pid: /** @type {number} */ (child.pid),
    async stop() {
      child.removeAllListeners('exit')
      if (child.exitCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      const cut = setTimeout(() => child.kill('SIGKILL'), 5000)
      await ended
      children.delete(child)
      clearTimeout(cut)
    },
  }
}
