import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { type Account, mayEnter, postgresEnvironment } from './account.ts'
import type { Binaries } from './binaries.ts'
import { EmbeddedPostgresError, failureFromOutput } from './failure.ts'
import { isRunning } from './lock-file.ts'
import { makeTraversable, privateRoot } from './private-root.ts'

const passwordFile = 'msgctl-password'

/**
 * Returns the real path of the data folder `wanted`: that folder, with the folders above it made, or, when `account`
 * may not enter there, a folder below `root` that belongs to this `wanted` alone, so that two checkouts never share
 * one.
 */
export function placeDataFolder(wanted: string, account: Account, root: string = privateRoot()): string {
  const absolute = path.resolve(wanted)
  makeTraversable(path.dirname(absolute))
  const parent = realpathSync(path.dirname(absolute))
  const wantedPath = path.join(parent, path.basename(absolute))
  if (account.uid === undefined || mayEnter(parent, account)) return wantedPath
  const elsewhere = path.join(root, 'data', createHash('sha256').update(wantedPath).digest('hex').slice(0, 16))
  makeTraversable(path.dirname(elsewhere))
  return elsewhere
}

/**
 * Makes `folder` a data folder of these binaries, unless it is one, and returns the password of its superuser
 * `postgres`. It initialises a folder beside it and renames that at the end, so that a killed process leaves no half of
 * one.
 *
 * Throws EmbeddedPostgresError `folder_not_usable`, `no_space` or `start_failed`.
 */
export async function initialise(folder: string, binaries: Binaries, account: Account): Promise<string> {
  removeAbandoned(folder)
  if (!existsSync(path.join(folder, 'PG_VERSION'))) {
    if (existsSync(folder) && readdirSync(folder).length > 0) {
      throw unusable(folder, 'is not empty and holds no database')
    }
    await initialiseBeside(folder, binaries, account)
  }
  const version = readFileSync(path.join(folder, 'PG_VERSION'), 'utf8').trim()
  if (version !== binaries.major) {
    throw unusable(folder, `was made by PostgreSQL ${version}, and this is PostgreSQL ${binaries.major}`)
  }
  const password = path.join(folder, passwordFile)
  if (!existsSync(password)) throw unusable(folder, 'was not made by this server')
  return readFileSync(password, 'utf8')
}

function unusable(folder: string, why: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'folder_not_usable',
    `The data folder ${folder} ${why}. Move it away, or set DATA_DIR to another folder.`,
  )
}

async function initialiseBeside(folder: string, binaries: Binaries, account: Account): Promise<void> {
  // The name says which process works in it, so that the next start knows whether it was abandoned.
  const unfinished = `${folder}.unfinished-${process.pid}-${randomBytes(4).toString('hex')}`
  const password = randomBytes(24).toString('hex')
  mkdirSync(unfinished, { mode: 0o700 })
  const data = path.join(unfinished, 'data')
  const passwordSource = path.join(unfinished, passwordFile)
  try {
    mkdirSync(data, { mode: 0o700 })
    writeFileSync(passwordSource, password, { mode: 0o600 })
    for (const made of [unfinished, data, passwordSource]) giveTo(account, made)
    await runInitdb(data, passwordSource, binaries, account)
    renameSync(passwordSource, path.join(data, passwordFile))
    renameSync(data, folder)
  } catch (error) {
    // Another process may have been faster to initialise the same folder; then that one counts.
    if (!existsSync(path.join(folder, 'PG_VERSION'))) throw error
  } finally {
    rmSync(unfinished, { recursive: true, force: true, maxRetries: 5 })
  }
}

function giveTo(account: Account, file: string): void {
  if (account.uid !== undefined && account.gid !== undefined) chownSync(file, account.uid, account.gid)
}

async function runInitdb(data: string, passwordSource: string, binaries: Binaries, account: Account): Promise<void> {
  const args = ['-D', data, '-U', 'postgres', `--pwfile=${passwordSource}`, '-A', 'scram-sha-256']
  // The password is 192 random bits, so stretching it would only make every connection slower.
  args.push('--set', 'scram_iterations=1')
  // Any other way of choosing the locale depends on the machine and may end in SQL_ASCII.
  args.push('-E', 'UTF8', '--locale-provider=builtin', '--locale=C.UTF-8')
  args.push('--no-sync', '--no-instructions')
  try {
    await promisify(execFile)(path.join(binaries.folder, 'bin', 'initdb'), args, {
      ...account,
      cwd: '/',
      env: postgresEnvironment,
    })
  } catch (error) {
    const { message, stderr } = error as Error & { stderr?: string }
    throw failureFromOutput('Postgres could not make its data folder', data, stderr || message)
  }
}

/** Removes what an initialisation left that was killed half-way. */
function removeAbandoned(folder: string): void {
  const parent = path.dirname(folder)
  const prefix = `${path.basename(folder)}.unfinished-`
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(prefix) || isRunning(Number.parseInt(name.slice(prefix.length), 10))) continue
    try {
      rmSync(path.join(parent, name), { recursive: true, force: true, maxRetries: 5 })
    } catch {
      // Its initdb has outlived the server and still writes there, or it is another user's: a later start removes it.
    }
  }
}
