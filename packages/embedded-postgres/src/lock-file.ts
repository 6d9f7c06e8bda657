import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { EmbeddedPostgresError } from './failure.ts'

/** A pid no system gives to a process. */
const unusedPid = 2_147_483_647
const pollMs = 25
/**
 * How long a lock file may be empty while Postgres writes it. A crash of the machine can leave it empty, which Postgres
 * does not accept.
 */
const fillingMs = 200

/** What the lock file of a data folder (postmaster.pid) says about the Postgres that wrote it. */
interface Lock {
  /** Undefined while the file is empty. */
  pid: number | undefined
  port: string
  /** It is shutting down: its folder is free as soon as it is gone. */
  stopping: boolean
}

/** Times to wait for another Postgres that holds the folder, in milliseconds. */
export interface LockTimeouts {
  /** While it runs: the guard of a server that was just killed needs a moment to stop it. */
  runningMs: number
  /** While it shuts down: it may have much to write. */
  stoppingMs: number
}

/**
 * Waits until no Postgres serves the data folder: one that is going down is waited for, one that stays is an error. A
 * lock file whose pid belongs to some other program by now is disarmed. It is not removed: Postgres itself then also
 * checks whether processes of the former one still use its shared memory.
 *
 * Throws EmbeddedPostgresError `in_use`.
 */
export async function awaitUnlocked(folder: string, timeouts: LockTimeouts): Promise<void> {
  const start = performance.now()
  for (;;) {
    const lock = readLock(folder)
    if (lock === undefined) return
    const waitedMs = performance.now() - start
    if (lock.pid === undefined) {
      if (waitedMs > fillingMs) return rmSync(lockFile(folder), { force: true })
    } else {
      if (!servesFolder(lock.pid, folder)) return disarm(folder, lock.pid)
      if (waitedMs > (lock.stopping ? timeouts.stoppingMs : timeouts.runningMs)) throw inUse(folder, lock)
    }
    await wait(pollMs)
  }
}

/** Returns whether a process with this pid exists, under any user. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function inUse(folder: string, { pid, port, stopping }: Lock): EmbeddedPostgresError {
  const state = stopping ? 'is still shutting down' : `serves it on port ${port}`
  return new EmbeddedPostgresError(
    'in_use',
    `The data folder ${folder} is in use by another server: its Postgres, process ${pid}, ${state}. ` +
      `Stop that server first (kill -INT ${pid} ends a Postgres that was left alone), or set DATA_DIR to ` +
      'another folder.',
  )
}

function lockFile(folder: string): string {
  return path.join(folder, 'postmaster.pid')
}

function readLines(folder: string): string[] | undefined {
  try {
    return readFileSync(lockFile(folder), 'utf8').split('\n')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function readLock(folder: string): Lock | undefined {
  const lines = readLines(folder)
  if (lines === undefined) return undefined
  const pid = Number.parseInt(lines[0] ?? '', 10)
  return { pid: pid > 0 ? pid : undefined, port: lines[3] ?? 'unknown', stopping: lines[7]?.trim() === 'stopping' }
}

function disarm(folder: string, pid: number): void {
  const [first, ...others] = readLines(folder) ?? []
  if (first === String(pid) && isRunning(pid)) writeFileSync(lockFile(folder), [unusedPid, ...others].join('\n'))
}

/**
 * Whether the process is a Postgres that a launcher started on this folder: the pid alone may have gone to another
 * program.
 */
function servesFolder(pid: number, folder: string): boolean {
  if (!isRunning(pid)) return false
  return commandLine(pid).includes(`/postgres -D ${folder} -p `)
}

function commandLine(pid: number): string {
  const file = `/proc/${pid}/cmdline`
  if (existsSync(file)) return readFileSync(file, 'utf8').replaceAll('\0', ' ')
  return spawnSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? ''
}
