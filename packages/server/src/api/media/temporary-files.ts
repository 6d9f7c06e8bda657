import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

const prefix = 'msgctl-media-'
/** Distinguishes this process from an earlier one with the same process id. */
const run = crypto.randomUUID().slice(0, 8)

/**
 * Calls `use` with the path of a file that does not exist yet, in a private folder, and removes both when `use` ends.
 * The folder is created in `parent` (default: the machine's folder for temporary files).
 */
export async function withTemporaryFile<T>(use: (file: string) => Promise<T>, parent: string = tmpdir()): Promise<T> {
  const folder = await mkdtemp(path.join(parent, `${prefix}${process.pid}-${run}-`))
  try {
    return await use(path.join(folder, 'file'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Removes the files of killed processes. Returns how many. */
export async function removeAbandonedFiles(parent: string = tmpdir()): Promise<number> {
  let removed = 0
  for (const name of await readdir(parent)) {
    const folder = path.join(parent, name)
    if (!isAbandoned(name) || !(await isOurs(folder))) continue
    await rm(folder, { recursive: true, force: true })
    removed += 1
  }
  return removed
}

function isAbandoned(name: string): boolean {
  if (!name.startsWith(prefix)) return false
  const [pid, ofRun] = name.slice(prefix.length).split('-')
  return Number(pid) === process.pid ? ofRun !== run : !isRunning(Number(pid))
}

async function isOurs(folder: string): Promise<boolean> {
  try {
    return (await stat(folder)).uid === process.getuid?.()
  } catch {
    return false
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
