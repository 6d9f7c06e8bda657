import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { EmbeddedPostgresError } from './failure.ts'

/** A pid no system gives to a process. */
const nobodysPid = 2_147_483_647
const pollMs = 25

/** What the lock file of a data folder (postmaster.pid) says about the Postgres that wrote it. */
interface Lock {
  pid: number
  port: string
  /** It is shutting down: its folder is free as soon as it is gone. */
  stopping: boolean
}

/** Times to wait for another Postgres that holds the folder, in milliseconds. */
export interface Patience {
  /** While it runs: the guard of a server that was just killed needs a moment to tell it to stop. */
  runningMs: number
  /** While it shuts down: it may have much to write. */
  stoppingMs: number
}

/**
 * Waits until no Postgres serves the data folder: one that is going down is waited for, one that stays is an error. A lock file whose
 * pid belongs to some other program by now is disarmed. It is not removed: Postgres itself then also looks whether processes of the
 * former one still use its shared memory.
 *
 * Throws EmbeddedPostgresError `in_use`.
 */
export async function awaitUnlocked(folder: string, patience: Patience): Promise<void> {
  const start = performance.now()
  for (;;) {
    const lock = readLock(folder)
    if (lock === undefined) return
    if (!servesFolder(lock.pid, folder)) return disarm(folder)
    if (performance.now() - start > (lock.stopping ? patience.stoppingMs : patience.runningMs))
      throw inUse(folder, lock)
    await wait(pollMs)
  }
}

/** Whether a process with this pid exists, whoever owns it. */
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
      'Stop that server first, or set DATA_DIR to another folder.',
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
  return { pid: pid > 0 ? pid : nobodysPid, port: lines[3] ?? 'unknown', stopping: lines[7]?.trim() === 'stopping' }
}

function disarm(folder: string): void {
  const [pid, ...rest] = readLines(folder) ?? []
  if (pid === undefined || pid === String(nobodysPid)) return
  // A crash of the machine can leave the file empty, which Postgres would not accept.
  if (pid.trim() === '') rmSync(lockFile(folder), { force: true })
  else if (isRunning(Number.parseInt(pid, 10))) writeFileSync(lockFile(folder), [nobodysPid, ...rest].join('\n'))
}

/** Whether the process is a Postgres that a launcher started on this folder: the pid alone may have gone to another program. */
function servesFolder(pid: number, folder: string): boolean {
  if (!isRunning(pid)) return false
  return commandLine(pid).includes(`/postgres -D ${folder} -p `)
}

function commandLine(pid: number): string {
  const file = `/proc/${pid}/cmdline`
  if (existsSync(file)) return readFileSync(file, 'utf8').replaceAll('\0', ' ')
  return spawnSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? ''
}
