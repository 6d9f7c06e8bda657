// The programs of the machine: which there are, and how they are run.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { messageOf, refusal } from '../../scripts/process.mjs'

/** @import { ChildProcess, SpawnSyncOptions } from 'node:child_process' */
/** @import { AddressInfo } from 'node:net' */

/**
 * @typedef {object} StartOptions
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env]
 * @property {number | undefined} [uid]
 * @property {number | undefined} [gid]
 */

/** @typedef {ReturnType<typeof start>} Program A program that runs. */

// Debian keeps the servers of Postgres in a folder for each version.
const postgresFolders = existsSync('/usr/lib/postgresql')
  ? readdirSync('/usr/lib/postgresql').map((version) => `/usr/lib/postgresql/${version}/bin`)
  : []
const searched = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin', '/sbin', ...postgresFolders]

/**
 * Returns the path of a program, or null.
 *
 * @param {string} name
 */
export function find(name) {
  return searched.map((folder) => path.join(folder, name)).find((file) => existsSync(file)) ?? null
}

/**
 * Returns the programs of the list that this machine lacks. `root` stands for the user.
 *
 * @param {readonly string[]} needs
 */
export function missing(needs) {
  return needs.filter((name) => (name === 'root' ? process.getuid?.() !== 0 : find(name) === null))
}

/**
 * Runs a program to its end and returns what it printed. Throws when it fails.
 *
 * @param {string} name
 * @param {readonly string[]} args
 * @param {Omit<SpawnSyncOptions, 'encoding'>} [options]
 */
export function call(name, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(find(name) ?? name, args, { encoding: 'utf8', ...options })
  if (error) throw error
  if (status !== 0) throw refusal(`${name} ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`)
  return `${stdout}${stderr}`
}

/** @type {Set<ChildProcess>} */
const running = new Set()

/** Kills what is still running. */
export function killAll() {
  for (const child of running) child.kill('SIGKILL')
}

/**
 * Starts a program and keeps the end of its output.
 *
 * @param {string} name
 * @param {readonly string[]} args
 * @param {StartOptions} [options]
 */
export function start(name, args, options = {}) {
  const child = spawn(find(name) ?? name, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options })
  running.add(child)
  child.once('close', () => running.delete(child))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output = `${output}${text}`.slice(-20_000)
    })
  }
  /** @type {Promise<number | NodeJS.Signals | null>} */
  const ended = new Promise((resolve) => child.on('close', (code, signal) => resolve(code ?? signal)))
  return {
    child,
    ended,
    output: () => output,
    /** @param {NodeJS.Signals} [signal] */
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      return ended
    },
  }
}

/** Returns a port that is free now. */
export async function freePort() {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = /** @type {AddressInfo} */ (server.address())
  await new Promise((resolve) => server.close(resolve))
  return port
}

/**
 * Waits until `probe` resolves with something true; throws with its last error.
 *
 * @template T
 * @param {string} what
 * @param {() => T | Promise<T>} probe
 * @param {number} [withinMs]
 * @returns {Promise<Exclude<T, false>>}
 */
export async function until(what, probe, withinMs = 30_000) {
  const end = performance.now() + withinMs
  let last = ''
  while (performance.now() < end) {
    try {
      const found = await probe()
      if (found) return /** @type {Exclude<T, false>} */ (found)
      last = ''
    } catch (error) {
      last = `: ${messageOf(error)}`
    }
    await wait(100)
  }
  throw refusal(`${what}: not within ${withinMs / 1000} s${last}`)
}
