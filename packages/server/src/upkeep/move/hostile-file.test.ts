import { newSecretsKeys } from '@msgctl/network/secrets'
import { describe, expect, it } from 'vitest'
import { insertUser } from '#people/organizations/user-store.ts'
import { type Db, rows } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'
import { testDatabase } from '#testing/database.ts'
import {
  asStream,
  closeForMove,
  type ExportedTable,
  exportedFile,
  linesIn,
  linesOf,
  sealLines,
  tablesIn,
} from '#testing/features/moved-file.ts'
import { makeOtherTenant } from '#testing/matrix/other-tenant.ts'
import { storedState } from '#testing/matrix/stored.ts'
import { startTestServer } from '#testing/start-server.ts'
import { listMoved } from './export.ts'
import { importOrganization } from './import.ts'
import { beginLoading, loadRows } from './load.ts'

const keys = newSecretsKeys()
const env = { SECRETS_KEYS: keys }
const server = await startTestServer({ worker: false, env })
const there = await startTestServer({ worker: false, env })
const original = await makeOtherTenant(server)
const victim = await makeOtherTenant(there)
await rows(server.db, `insert into recovery_codes (user_id, code_hash) select user_id, '\\x0102' from members`)
const former = newId()
await insertUser(server.db, { id: former, name: 'Former', email: 'former@example.com', passwordHash: 'known' })
await rows(server.db, `update mcp_connections set user_id = :former where organization_id = :organizationId`, {
  former,
  organizationId: original.organizationId,
})
await rows(
  server.db,
  `insert into send_groups values (:organizationId, true, array[:number::uuid], 'backup', true, service_now())`,
  { organizationId: original.organizationId, number: original.ids.number },
)
await closeForMove(server, original.organizationId)
const lines = await linesIn(await exportedFile(server.db, original.organizationId, keys), keys)
const header = lines[0] ?? ''
const tables = await tablesIn(server.db, lines)

const store = async (changed: readonly string[], db: Db = there.db) =>
  importOrganization(db, asStream(await sealLines(changed, keys)), keys)

function rowOf(table: string): Record<string, unknown> {
  return JSON.parse(tables.find((each) => each.table === table)?.rows[0] ?? '{}')
}

/** Returns the text once for each string in it, which is replaced by the begin of another statement. */
function injectedInto(text: string): string[] {
  const injected = JSON.stringify('x"; select 1')
  return [...text.matchAll(/"(?:[^"\\]|\\.)*"/g)].map(
    ({ 0: found, index }) => text.slice(0, index) + injected + text.slice(index + found.length),
  )
}

describe('a file of org import that no export wrote', () => {
  it('is refused before a row is stored when it names statements, other organizations and their members', async () => {
    const before = await storedState(there.db)
    const organizationId = newId()
    const member = { ...rowOf('members'), organization_id: victim.organizationId, role: 'admin' }
    const evilTables: ExportedTable[] = tables.map(({ table }) => {
      if (table === 'organizations') return { table, rows: [JSON.stringify({ ...rowOf(table), id: organizationId })] }
      if (table === 'users') return { table, rows: [JSON.stringify(rowOf(table))] }
      return { table, rows: table === 'members' ? [JSON.stringify(member)] : [] }
    })
    const evilHeader = header.replace(original.organizationId, organizationId)
    await expect(store(linesOf(evilHeader, evilTables))).rejects.toThrow(
      'rows of members that are not the organization',
    )

    const ofPeople = "(select lo_from_bytea(424242, 'proof'::bytea)) > 0 and user_id"
    const named = { table: 'recovery_codes', columns: ['user_id', 'code_hash', 'used_at'], isDerived: false, ofPeople }
    const withStatement = [evilHeader, `#${JSON.stringify(named)}`, '{"user_id":null}', '#=1']
    await expect(store(withStatement)).rejects.toThrow('refused')
    const unsealed = Buffer.from(withStatement.join('\n'))
    await expect(importOrganization(there.db, asStream(unsealed), keys)).rejects.toThrow('no export')
    expect(await rows(there.db, 'select oid from pg_largeobject_metadata')).toEqual([])
    expect(await storedState(there.db)).toEqual(before)
  })

  it('is refused with each string of its marks replaced, and with a mark moved', async () => {
    const before = await storedState(there.db)
    // All strings of the marks are in the header: tables and columns are those of the database that imports.
    expect(lines.filter((line) => /^#.*"/.test(line))).toEqual([header])
    const changed = injectedInto(header)
    expect(changed.length).toBeGreaterThan(10)
    for (const other of changed)
      await expect(store([other, ...lines.slice(1)])).rejects.toThrow(/no export|lacks the key|schema/)
    await expect(store(lines.with(1, '#1'))).rejects.toThrow('another order')
    await expect(store(lines.with(1, '#users'))).rejects.toThrow('no export writes')
    await expect(store([...lines, '{}'])).rejects.toThrow('behind its end')
    expect(await storedState(there.db)).toEqual(before)
  })

  it('is refused with each UUID of each table replaced by that of a row that is here', async () => {
    const plan = await listMoved(there.db)
    const before = await storedState(there.db)
    const tried: string[] = []
    const undone = new Error('undone')
    await there.db
      .transaction(async (trx) => {
        let loading = beginLoading(original.organizationId, plan)
        for (const [position, table] of plan.entries()) {
          const some = tables[position]?.rows ?? []
          for (const column of [...table.uuids, ...table.uuidLists]) {
            const at = some.findIndex((row) => JSON.parse(row)[column] !== null)
            if (at === -1) continue
            const named = column === 'organization_id' ? victim.organizationId : victim.ids.number
            const foreign = table.people.includes(column) ? victim.ownerId : named
            const value = table.uuidLists.includes(column) ? [foreign] : foreign
            const changed = some.with(at, JSON.stringify({ ...JSON.parse(some[at] ?? '{}'), [column]: value }))
            await trx.raw('savepoint one')
            const outcome = await loadRows(trx, loading, table, changed).then(
              () => 'stored',
              (error: Error) => error.message,
            )
            expect(`${table.table}.${column}: ${outcome}`).toMatch(/refused|violates/)
            await trx.raw('rollback to savepoint one')
            tried.push(`${table.table}.${column}`)
          }
          if (some.length > 0) loading = await loadRows(trx, loading, table, some)
        }
        throw undone
      })
      .catch((error: unknown) => {
        if (error !== undone) throw error
      })
    expect(tried.length).toBeGreaterThan(90)
    expect(tried).toEqual(expect.arrayContaining(['organizations.id', 'numbers.id', 'send_groups.container_ids']))
    expect(await storedState(there.db)).toEqual(before)
  })

  it('lets no person in who was here before or is no member, and adds no stranger', async () => {
    const other = await testDatabase()
    const people = tables.find(({ table }) => table === 'users')?.rows.map((row) => JSON.parse(row)) ?? []
    expect(people.map(({ name, password_hash }) => [name, password_hash === null]).sort()).toEqual([
      ['Former', true],
      ['Owner', false],
      ['member', false],
    ])
    const withPeople = (changed: readonly object[]) =>
      linesOf(
        header,
        tables.map((each) =>
          each.table === 'users' ? { ...each, rows: changed.map((row) => JSON.stringify(row)) } : each,
        ),
      )
    const stranger = { ...people[0], id: newId(), email: 'stranger@example.com', password_hash: null }
    const known = people.map((person) => ({ ...person, password_hash: 'known' }))
    for (const changed of [[...people, stranger], known]) {
      await expect(store(withPeople(changed), other.db)).rejects.toThrow('1 people who do not belong')
    }
    await rows(
      other.db,
      `insert into users (id, name, email, created_at)
        values (:ownerId, 'Known here', 'known@example.com', service_now())`,
      { ownerId: original.ownerId },
    )
    await store(lines, other.db)
    const found = await rows(
      other.db,
      `select name, password_hash is not null as has_password,
              (select count(*) from members where user_id = u.id) as memberships,
              (select count(*) from user_tokens where user_id = u.id) as sessions,
              (select count(*) from recovery_codes where user_id = u.id) as codes from users u order by name`,
    )
    expect(found).toEqual([
      { name: 'Former', hasPassword: false, memberships: 0, sessions: 0, codes: 0 },
      { name: 'Known here', hasPassword: false, memberships: 1, sessions: 0, codes: 0 },
      { name: 'member', hasPassword: true, memberships: 1, sessions: 1, codes: 1 },
    ])
  })
})
