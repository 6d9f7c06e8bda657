import { describeWrongClock } from '#platform/db/clock.ts'
import type { DatabaseFacts } from './database-facts-store.ts'
import { type Finding, finding } from './finding.ts'

const oldestVersion = 150_000
/** Signals, and two for the jobs of a worker. */
const besidePool = 3

/**
 * Judges a database for a service whose processes each hold `pool` connections and a few more. `aheadMs`: how far the
 * clock of this machine is ahead of the database's.
 */
export function judgeDatabase(facts: DatabaseFacts, pool: number, aheadMs: number): Finding[] {
  const { version, versionText, standby, readOnly, mayCreate, role, encoding, maxConnections, connections } = facts
  const perProcess = pool + besidePool
  const free = maxConnections - connections
  return [
    finding('Postgres', version >= oldestVersion, versionText, `${versionText} is too old: use version 15 or newer.`),
    finding(
      'Primary',
      !standby && !readOnly,
      'accepts changes',
      standby
        ? 'This is a standby. DATABASE_URL must lead to the primary.'
        : 'The database takes no changes. Set default_transaction_read_only to off, for the role and database, too.',
    ),
    finding(
      'Rights',
      mayCreate,
      `${role} may create tables`,
      `Let ${role} create: grant create on database and on schema public to ${role}, or make it the owner.`,
    ),
    finding('Encoding', encoding === 'UTF8', 'UTF8', `The database has ${encoding}. Create it with encoding UTF8.`),
    judgeExtensions(facts),
    ...judgeDurability(facts),
    finding(
      'Connections',
      free >= 2 * perProcess,
      `${free} of ${maxConnections} free; a process needs up to ${perProcess}`,
      `${free} of ${maxConnections} are free, and a process needs up to ${perProcess}. Raise max_connections ` +
        'or lower DATABASE_POOL.',
      'note',
    ),
    judgeClock(aheadMs),
  ]
}

function judgeExtensions({ extensions }: DatabaseFacts): Finding {
  const states = ['pg_trgm', 'btree_gin'].map((name) => extensions[name])
  const isInstalled = states.every((state) => state === 'installed')
  const canBe = states.every((state) => state !== undefined)
  return finding(
    'Search',
    isInstalled,
    'pg_trgm and btree_gin are installed',
    canBe
      ? 'pg_trgm and btree_gin are not installed yet: migrate installs them when the role may.'
      : 'Install the extensions pg_trgm and btree_gin, or searching long histories is slow.',
    'note',
  )
}

function judgeDurability({ settings }: DatabaseFacts): Finding[] {
  const unsafe = ['fsync', 'full_page_writes'].filter((name) => settings[name] === 'off')
  const isLazy = settings.synchronous_commit === 'off'
  return [
    finding(
      'Durability',
      unsafe.length === 0,
      'fsync is on',
      `Turn on ${unsafe.join(' and ')}, or a crash corrupts the data.`,
    ),
    finding(
      'Commits',
      !isLazy,
      `synchronous_commit is ${settings.synchronous_commit}`,
      'synchronous_commit is off: messages that were accepted can be lost. Turn it on.',
    ),
    finding('Autovacuum', settings.autovacuum !== 'off', 'on', 'Turn autovacuum on, or the tables grow without end.'),
  ]
}

function judgeClock(aheadMs: number): Finding {
  const wrong = describeWrongClock(aheadMs)
  const remedy = `${wrong}. Set it right: a worker runs no jobs until then, and delivers no webhooks beyond a minute.`
  return finding('Clock', wrong === null, 'agrees with the database', remedy)
}
