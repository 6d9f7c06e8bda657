import { randomUUID } from 'node:crypto'
import { newSecretsKeys, openSecrets } from '@msgctl/network/secrets'
import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { challengeOf, turnOn } from '#testing/features/authenticator.ts'
import { makePerson } from '#testing/features/person.ts'
import { sessionOf } from '#testing/session-of.ts'
import { serveDatabase, startTestServer } from '#testing/start-server.ts'
import { sealedColumns } from './columns.ts'
import { rotateSecrets } from './rotate.ts'

const server = await startTestServer({ worker: false })
const { db } = server

/** Every column of the schema that holds secrets. */
function columnsOfSchema() {
  return rows<{ table: string; column: string }>(
    db,
    `select c.table_name as table, c.column_name as column from information_schema.columns c
       join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
        and (c.column_name ~ 'sealed' or c.table_name = 'webhooks' and c.column_name ~ 'secret$')
      order by 1, 2`,
  )
}

describe('the table of sealed columns', () => {
  it('has every column of the schema that holds secrets', async () => {
    const listed = sealedColumns.map(({ table, column }) => ({ table, column }))
    const sorted = listed.toSorted((a, b) => `${a.table} ${a.column}`.localeCompare(`${b.table} ${b.column}`))
    expect(sorted).toEqual(await columnsOfSchema())
  })

  it.each(sealedColumns)(
    'names a UUID of a row of $table, and reads $column',
    async ({ table, id, column, of = id }) => {
      const [types] = await rows(
        db,
        'select pg_typeof(t.:id:)::text as id, pg_typeof(t.:of:)::text as of, pg_typeof(t.:column:)::text as secret ' +
          'from (select 1) one left join :table: t on true limit 1',
        { table, id, of, column },
      )
      expect(types).toEqual({ id: 'uuid', of: 'uuid', secret: 'text' })
    },
  )
})

describe('a rotation of the keys', () => {
  it('re-encrypts every sealed column, after which the old key is not needed', async () => {
    const person = await makePerson(server)
    const { authenticator } = await turnOn(person.client)
    const containerId = randomUUID()
    const place = `gateway_sessions:sealed_key:${containerId}` as const
    const proxyPlace = `gateway_sessions:sealed_proxy:${containerId}` as const
    await db('gateway_sessions').insert({
      containerId,
      organizationId: randomUUID(),
      sealedKey: server.services.secrets.encrypt('the key of a number', place),
      sealedProxy: server.services.secrets.encrypt('the proxy of a number', proxyPlace),
      sequence: 1,
    })
    const newKeys = newSecretsKeys().replace('1:', '2:')
    const both = `${newKeys},${server.services.config.secretsKeys}`
    const rotation = await rotateSecrets(db, both)
    expect(rotation).toMatchObject({ keyId: '2', damaged: 0, unreadable: {}, left: 0 })
    expect(rotation.resealed).toBeGreaterThanOrEqual(2)
    for (const { table, column } of await columnsOfSchema()) {
      const [old] = await rows<{ count: number }>(
        db,
        `select count(*) as count from ${table} where ${column} like '1:%'`,
      )
      expect([table, column, old?.count]).toEqual([table, column, 0])
    }
    const kept = await db('gateway_sessions').where({ containerId }).first('sealedKey', 'sealedProxy')
    expect(openSecrets(newKeys).decrypt(kept?.sealedKey ?? '', place)).toBe('the key of a number')
    expect(openSecrets(newKeys).decrypt(kept?.sealedProxy ?? '', proxyPlace)).toBe('the proxy of a number')
    const renewed = await serveDatabase(db, server.databaseUrl, { worker: false, env: { SECRETS_KEYS: newKeys } })
    const visitor = renewed.client({})
    const challenge = await challengeOf(visitor, person)
    const session = await sessionOf(visitor.auth.secondStep({ challenge, code: authenticator.code() }))
    expect(session.user.id).toBe(person.userId)
    await renewed.stop()
  })
})
