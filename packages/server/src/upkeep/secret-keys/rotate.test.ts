import { randomBytes } from 'node:crypto'
import { openSecrets } from '@msgctl/network/secrets'
import { describe, expect, it } from 'vitest'
import { type Db, rows } from '#platform/db/db.ts'
import { secretsCommands } from '#process/operator/secrets-commands.ts'
import type { Terminal } from '#process/operator/terminal.ts'
import { testDatabase } from '#testing/database.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { transcriptOf } from '#testing/sim.ts'
import { serveDatabase, type TestServer } from '#testing/start-server.ts'
import { sealedColumns } from './columns.ts'
import { resealColumns } from './reseal.ts'

const oldKey = `old:${randomBytes(32).toString('base64')}`
const newKey = `new:${randomBytes(32).toString('base64')}`
const both = `${newKey},${oldKey}`
const { db, url } = await testDatabase()

/** Runs `msgctl-server secrets rotate` with these keys, and returns what the operator would see. */
async function rotate(keys: string | undefined, ...options: string[]) {
  const seen = { out: '', err: '', exitCode: 0 }
  const terminal: Terminal = {
    env: { DATABASE_URL: url, ...(keys === undefined ? {} : { SECRETS_KEYS: keys }) },
    write: (text) => {
      seen.out += text
    },
    complain: (text) => {
      seen.err += text
    },
    end: (exitCode) => {
      seen.exitCode = exitCode
    },
    readInput: async () => '',
    ask: async () => null,
    leave: (exitCode) => {
      throw new Error(`left with ${exitCode}`)
    },
  }
  await secretsCommands(terminal).parseAsync(['rotate', ...options], { from: 'user' })
  return seen
}

/** What a service with these keys does, as one of several processes. */
async function withKeys<T>(keys: string | undefined, work: (server: TestServer) => Promise<T>): Promise<T> {
  const server = await serveDatabase(db, url, { env: { SECRETS_KEYS: keys } })
  try {
    return await work(server)
  } finally {
    await server.stop()
  }
}

const receiver = { webhookUrl: 'https://example.com/hook' }

/** Organizations with a signing secret that the old key sealed, as their keys and secrets. */
function makeWithSecrets(count: number): Promise<{ apiKey: string; secret: string | null }[]> {
  return withKeys(oldKey, async (server) => {
    const made = []
    for (let n = 0; n < count; n++) {
      const { apiKey } = await makeOrganization(server)
      made.push({ apiKey, secret: (await server.client({ apiKey }).webhook.set(receiver)).signingSecret })
    }
    return made
  })
}

async function keyIdsAtRest(): Promise<string[]> {
  const found = await rows<{ id: string }>(
    db,
    `select distinct split_part(sealed, ':', 1) as id from webhooks, unnest(array[secret, previous_secret]) as sealed
      where sealed is not null order by 1`,
  )
  return found.map(({ id }) => id)
}

async function deleteSecrets(within: Db): Promise<void> {
  await rows(within, 'delete from webhooks')
  await rows(within, 'delete from otp_requests')
}

describe('secrets rotate', () => {
  it('seals every secret with the first key, so that the others may go, and keeps what each secret was', async () => {
    await deleteSecrets(db)
    const made = await makeWithSecrets(2)
    const overlapping = await withKeys(oldKey, (server) =>
      server.client({ apiKey: String(made[1]?.apiKey) }).webhook.regenerateSecret({ overlapSeconds: 3600 }),
    )
    const early = await rotate(`${oldKey},${newKey}`)
    expect(early.out).toBe(
      'Re-encrypted with key old: 0 secrets.\n' +
        'No other key is needed. If key old is the old one, put the new one first and run this again.\n',
    )
    const { out, exitCode } = await rotate(both)
    expect(out).toBe(
      'Re-encrypted with key new: 3 secrets.\nNo other key is needed. SECRETS_KEYS can be reduced to key new.\n',
    )
    expect(exitCode).toBe(0)
    expect(await keyIdsAtRest()).toEqual(['new'])
    await withKeys(newKey, async (server) => {
      const secretOf = async (n: number) =>
        (await server.client({ apiKey: String(made[n]?.apiKey) }).webhook.get()).signingSecret
      expect([await secretOf(0), await secretOf(1)]).toEqual([made[0]?.secret, overlapping.signingSecret])
    })
    const [kept] = await rows<{ id: string; sealed: string }>(
      db,
      'select organization_id as id, previous_secret as sealed from webhooks where previous_secret is not null',
    )
    expect(openSecrets(newKey).decrypt(kept?.sealed ?? '', `webhooks:secret:${kept?.id}`)).toBe(made[1]?.secret)
  })

  it('takes up what a run that was broken off had left, in batches, and finds nothing to do at the end', async () => {
    await deleteSecrets(db)
    await makeWithSecrets(5)
    // A sequence keeps its value when its transaction is rolled back.
    await db.raw(`
      create sequence writes;
      create function break_off() returns trigger language plpgsql as $$ begin
        if nextval('writes') = 3 then raise 'the connection is lost'; end if;
        return new;
      end $$;
      create trigger break_off before update on webhooks for each row execute function break_off()`)
    const secrets = openSecrets(both)
    await expect(resealColumns(db, secrets, sealedColumns, 2)).rejects.toThrow('the connection is lost')
    expect(await keyIdsAtRest()).toEqual(['new', 'old'])
    expect(await resealColumns(db, secrets, sealedColumns, 2)).toEqual({
      resealed: 3,
      unreadable: {},
      damaged: 0,
      left: 0,
    })
    expect(JSON.parse((await rotate(both, '--json')).out)).toMatchObject({ resealed: 0, left: 0, othersMayGo: true })
  })

  it('leaves what it cannot open, says which key is missing, and ends with 1', async () => {
    await deleteSecrets(db)
    await makeWithSecrets(2)
    await rows(
      db,
      `update webhooks set secret = 'old:' || 'AAAA' || substr(secret, 9)
        where organization_id = (select min(organization_id::text)::uuid from webhooks)`,
    )
    const before = await rows(db, 'select secret from webhooks order by organization_id')
    const without = await rotate(newKey)
    expect(without.out).toContain('Skipped: 2 of key old, which is not in SECRETS_KEYS.')
    expect(without.exitCode).toBe(1)
    expect(await rows(db, 'select secret from webhooks order by organization_id')).toEqual(before)
    const { out, exitCode } = await rotate(both)
    expect(out).toContain('Re-encrypted with key new: 1 secret.')
    expect(out).toContain('Skipped: 1 that are damaged.')
    expect(out).toContain('Keep the other keys: 1 secrets')
    expect(exitCode).toBe(1)
  })

  it('refuses without keys, and says what to set', async () => {
    const { out, err, exitCode } = await rotate(undefined)
    expect({ out, exitCode }).toEqual({ out: '', exitCode: 1 })
    expect(err).toContain('SECRETS_KEYS is not set')
  })
})

/** A code that a service with these keys sent, with the key of its organization. */
function sendCode(keys: string | undefined, phone: string) {
  return withKeys(keys, async (server) => {
    const organization = await makeOrganization(server)
    const containerId = await makeNumber(server, organization)
    const { requestId } = await server.client(organization).otp.send({ phone })
    const [message] = await transcriptOf(server, containerId)
    const code = /\d{6}/.exec(JSON.stringify(message?.content))?.[0] ?? ''
    return { apiKey: organization.apiKey, verification: { requestId, code } }
  })
}

describe('one-time codes while keys are rotated', () => {
  it('can be verified when another key became the first, and wait for a process that has theirs', async () => {
    await deleteSecrets(db)
    const { apiKey, verification } = await sendCode(oldKey, '13035559001')
    expect((await rotate(both)).out).toContain('Valid one-time codes that were sent with other keys: 1.')
    await withKeys(newKey, async (server) => {
      const client = server.client({ apiKey })
      // More often than there are tries: what is not compared uses none.
      for (let n = 0; n < 5; n++) {
        await expect(client.otp.verify(verification)).rejects.toMatchObject({
          code: 'SECRETS_KEY_MISSING',
          status: 503,
        })
      }
    })
    await withKeys(both, async (server) => {
      expect((await server.client({ apiKey }).otp.verify(verification)).verified).toBe(true)
    })
    expect((await rotate(both)).out).toContain('No other key is needed.')
  })

  it('sent by a service without keys can be verified by one with them', async () => {
    await deleteSecrets(db)
    const { apiKey, verification } = await sendCode(undefined, '13035559002')
    await withKeys(newKey, async (server) => {
      expect((await server.client({ apiKey }).otp.verify(verification)).verified).toBe(true)
    })
  })
})

describe('a server that lacks the key of a stored secret', () => {
  it('responds with SECRETS_KEY_MISSING where the secret is shown, and lets it be replaced', async () => {
    await deleteSecrets(db)
    const [made] = await makeWithSecrets(1)
    await withKeys(newKey, async (server) => {
      const client = server.client({ apiKey: String(made?.apiKey) })
      await expect(client.webhook.get()).rejects.toMatchObject({ code: 'SECRETS_KEY_MISSING', status: 503 })
      const { signingSecret } = await client.webhook.regenerateSecret({})
      expect((await client.webhook.get()).signingSecret).toBe(signingSecret)
    })
  })
})
