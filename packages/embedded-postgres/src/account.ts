import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { EmbeddedPostgresError } from './failure.ts'

/** The user under which Postgres runs, in the form that spawn takes. Empty: the user of this process. */
export interface Account {
  uid?: number
  gid?: number
}

/** The users under which root may run Postgres, the preferred one first. */
const unprivilegedUsers = ['postgres', 'nobody']

/**
 * Returns the user under which Postgres runs. Postgres refuses to run as root, so for root this is another user: the
 * owner of the data folder when there is one, else one of `unprivilegedUsers`. An ordinary user runs it under their own
 * name.
 *
 * Throws EmbeddedPostgresError `no_account` for root on a system that has none of these users.
 */
export function accountFor(dataDir: string): Account {
  if (process.getuid?.() !== 0) return {}
  const owner = statSync(dataDir, { throwIfNoEntry: false })
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  const users = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of unprivilegedUsers) {
    const [, , uid, gid] = users.find((line) => line.startsWith(`${name}:`))?.split(':') ?? []
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new EmbeddedPostgresError(
    'no_account',
    `Postgres does not run as root, and this system has neither a user "${unprivilegedUsers.join('" nor "')}" ` +
      'to run it under. ' +
      'Start the server as an ordinary user, or set DATABASE_URL.',
  )
}

/** Whether the account may pass through `folder` to what lies below it. */
export function mayEnter(folder: string, account: Account): boolean {
  return spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', folder], { ...account, cwd: '/' }).status === 0
}

/**
 * What Postgres gets to see of our environment. Ours may hold secrets, and another user could read them from the
 * process; besides, PGDATA and its like must not reach it. The language and the time zone are fixed because its output
 * is read.
 */
export const postgresEnvironment: NodeJS.ProcessEnv = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }
