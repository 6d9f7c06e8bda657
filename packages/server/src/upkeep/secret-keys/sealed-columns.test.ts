import { randomUUID } from 'node:crypto'
import { newSecretsKeys, openSecrets } from '@msgctl/network/secrets'
import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { challengeOf, turnOn } from '#testing/features/authenticator.ts'
import { makePerson } from '#testing/features/person.ts'
import { sessionOf } from '#testing/session-of.ts'
import { serveDatabase, startTestServer } from '#testing/start-server.ts'
import { rotateSecrets } from './rotate.ts'

const server = await startTestServer({ worker: false })
const { db } = server

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
    const columns = await rows<{ table: string; column: string }>(
      db,
      `select table_name as table, column_name as column from information_schema.columns
        where table_schema = 'public' and (column_name ~ 'sealed' or (table_name, column_name) in
              (('webhooks', 'secret'), ('webhooks', 'previous_secret')))`,
    )
    expect(columns.length).toBeGreaterThanOrEqual(5)
    for (const { table, column } of columns) {
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
