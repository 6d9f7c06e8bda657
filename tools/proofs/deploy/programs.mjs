// The programs of the machine: which there are, and how they are run.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { refusal } from '../../scripts/process.mjs'

// Debian keeps the servers of Postgres in a folder for each version.
const postgresFolders = existsSync('/usr/lib/postgresql')
  ? readdirSync('/usr/lib/postgresql').map((version) => `/usr/lib/postgresql/${version}/bin`)
  : []
const searched = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin', '/sbin', ...postgresFolders]

/** Returns the path of a program, or null. */
export function find(name) {
  return searched.map((folder) => path.join(folder, name)).find((file) => existsSync(file)) ?? null
}

/** Returns the programs of the list that this machine lacks. `root` stands for the user. */
export function missing(needs) {
  return needs.filter((name) => (name === 'root' ? process.getuid?.() !== 0 : find(name) === null))
}

/** Runs a program to its end and returns what it printed. Throws when it fails. */
export function call(name, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(find(name) ?? name, args, { encoding: 'utf8', ...options })
  if (error) throw error
  if (status !== 0) throw refusal(`${name} ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`)
  return `${stdout}${stderr}`
}

const running = new Set()

/** Kills what is still running. */
export function killAll() {
  for (const child of running) child.kill('SIGKILL')
}

/** Starts a program and keeps the end of its output. */
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
  const ended = new Promise((resolve) => child.on('close', (code, signal) => resolve(code ?? signal)))
  return {
    child,
    ended,
    output: () => output,
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      return ended
    },
  }
}

/** Returns a port that is free now. */
export async function freePort() {
  const server = createServer()
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Waits until `probe` resolves with something true; throws what was last seen. */
export async function until(what, probe, withinMs = 30_000) {
  const end = performance.now() + withinMs
  let last
  while (performance.now() < end) {
    last = await Promise.resolve()
      .then(probe)
      .catch((error) => {
        last = error
        return false
      })
    if (last) return last
    await wait(100)
  }
  throw refusal(`${what}: not within ${withinMs / 1000} s`)
}
