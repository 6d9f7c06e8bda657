import { describe, expect, it } from 'vitest'
import { testDatabase } from '#testing/database.ts'
import { columnClasses } from '#upkeep/move/column-classes.ts'
import { listMoved } from '#upkeep/move/export.ts'
import { givenTables } from '#upkeep/move/given-tables.ts'
import { rows } from './db.ts'

const { db } = await testDatabase()

/** Tables without organization_id whose rows belong to one organization, and the table that says to which. */
const reached: Readonly<Record<string, string>> = {
  organizations: 'itself',
  users: 'members',
  oauth_tokens: 'mcp_connections',
  oauth_codes: 'mcp_connections',
  recovery_codes: 'users',
  user_two_factor: 'users',
  campaign_ends: 'campaigns',
  reminder_sends: 'reminders',
  pending_receipts: 'numbers',
  pending_changes: 'numbers',
  gateway_keys: 'gateway_sessions',
  gateway_sent: 'gateway_sessions',
  gateway_history: 'gateway_sessions',
  sim_fault_hits: 'sim_sessions',
}

/** Tables of the service itself, which belong to no organization. */
const ofTheService = [
  'agenda_jobs',
  'attempt_windows',
  'database_identity',
  'gateway_hosts',
  'gateway_web_version',
  // Programs and browsers that ask before a person has chosen an organization.
  'oauth_clients',
  'oauth_requests',
  'payment_events',
  'reset_requests',
  'schema_migrations',
  'schema_migrations_lock',
  'server_secrets',
  'service_clock',
  'sim_faults',
  'sim_pay_catalog',
  'sim_pay_customers',
  'sim_pay_events',
  'sim_pay_faults',
  'sim_pay_requests',
  'sim_people',
  'waha_hosts',
  // Names items of all organizations, for the seconds of the work on them.
  'work_batches',
]

interface Table {
  readonly name: string
  readonly owned: boolean
}

const tables = await rows<Table>(
  db,
  `select c.relname as name, a.attnum is not null as owned
     from pg_class c left join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id'
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1`,
)

// So that one organization can be moved to another database, deleted or counted by the catalog alone.
describe('every table', () => {
  it('has organization_id, leads to a table that has, or belongs to the service', () => {
    const others = tables.filter(({ owned }) => !owned).map(({ name }) => name)
    expect(others).toEqual([...Object.keys(reached), ...ofTheService].sort())
  })

  it('moves with its organization, but for those of the service, leases, and marks of an erasure', async () => {
    const moved = (await listMoved(db)).map(({ table }) => table)
    const leases = ['campaign_ends', 'event_streams', 'sim_typing']
    const others = tables.map(({ name }) => name).filter((name) => !moved.includes(name))
    // What died with an item here says nothing of another installation.
    expect(others).toEqual([...ofTheService, ...leases, 'erasures', 'suspects'].sort())
    expect(new Set(moved).size).toBe(moved.length)
  })

  it('has a class for each column: whether it moves, and whether its organization is given it', async () => {
    const columns = await rows<{ table: string; column: string; isUnsaid: boolean }>(
      db,
      `select c.relname as table, a.attname as column,
              a.attname = 'organization_id' or a.attidentity <> '' or a.attgenerated <> '' as is_unsaid
         from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1, a.attname`,
    )
    const owned = columns.filter(({ table }) => !ofTheService.includes(table))
    expect([...new Set(owned.map(({ table }) => table))]).toEqual(Object.keys(columnClasses).sort())
    for (const [table, found] of Object.entries(columnClasses)) {
      if (!('given' in found)) continue
      const named = [found.given, ...Object.values(found.moves)].flatMap((text) => text.split(' '))
      const expected = owned.filter((each) => each.table === table && !each.isUnsaid).map(({ column }) => column)
      expect([table, named.toSorted()]).toEqual([table, expected])
    }
  })

  it('moves unless its class says that it never does, and gives its organization no bytes and no secrets', async () => {
    const moved = (await listMoved(db)).map(({ table }) => table)
    const never = Object.entries(columnClasses).filter(([, found]) => 'never' in found)
    expect([...moved, ...never.map(([table]) => table)].sort()).toEqual(Object.keys(columnClasses).sort())
    const given = Object.entries(givenTables).flatMap(([table, found]) =>
      found.given.split(' ').map((column) => `${table}.${column}`),
    )
    expect(
      given.filter((name) => /hash|secret|sealed|token|password|\bmac\b|creds|user_id|invited_by/.test(name)),
    ).toEqual([])
    const bytes = await rows<{ name: string }>(
      db,
      `select table_name || '.' || column_name as name from information_schema.columns
        where table_schema = 'public' and data_type = 'bytea'`,
    )
    expect(bytes.filter(({ name }) => given.includes(name))).toEqual([])
  })

  it('has an organization_id that cannot be null, but for mails, links and suspects without one', async () => {
    const nullable = await rows<{ name: string }>(
      db,
      `select table_name as name from information_schema.columns
         join information_schema.tables using (table_schema, table_name)
        where table_schema = 'public' and table_type = 'BASE TABLE'
          and column_name = 'organization_id' and is_nullable = 'YES'`,
    )
    expect(nullable.map(({ name }) => name)).toEqual(['account_links', 'mails', 'suspects'])
  })

  it('leads to its organization by a column', async () => {
    const keys: Readonly<Record<string, string>> = {
      users: 'user_id',
      campaigns: 'campaign_id',
      reminders: 'reminder_id',
      numbers: 'container_id',
      gateway_sessions: 'container_id',
      sim_sessions: 'container_id',
    }
    for (const [name, by] of Object.entries(reached)) {
      const key = keys[by]
      if (key === undefined) continue
      const found = await rows(
        db,
        `select 1 as one from information_schema.columns where table_schema = 'public' and table_name = :name
          and column_name = :key`,
        { name, key },
      )
      expect([name, found.length]).toEqual([name, 1])
    }
  })
})
