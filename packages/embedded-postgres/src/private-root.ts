import { chmodSync, lstatSync, mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { EmbeddedPostgresError } from './failure.ts'

/** Where the launcher puts what cannot stay in the checkout, because Postgres' user may not enter there. */
export function privateRoot(): string {
  return process.getuid?.() === 0 ? '/var/lib/msgctl' : path.join(homedir(), '.cache', 'msgctl')
}

/**
 * Makes `folder` and the folders above it, all of them open for passing through whatever the umask is.
 * Folders that were there already keep their modes.
 */
export function makeTraversable(folder: string): void {
  const first = mkdirSync(folder, { recursive: true })
  if (first === undefined) return
  for (let made = folder; made.length >= first.length; made = path.dirname(made)) chmodSync(made, 0o755)
}

/**
 * Refuses a folder that another user owns or may write to: programs in it would run under our name.
 * Throws EmbeddedPostgresError `untrusted_folder`.
 */
export function requireOwnership(folder: string): void {
  const found = lstatSync(folder)
  if (found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0) return
  throw new EmbeddedPostgresError(
    'untrusted_folder',
    `${folder} belongs to another user, or others may write to it, so what lies in it is not run. Remove it ` +
      'and start again.',
  )
}
