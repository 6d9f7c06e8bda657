import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { eventually } from '#testing/eventually.ts'
import { turnOn } from '#testing/features/authenticator.ts'
import { linkTokenTo, mailsTo, makePerson, newEmail, type Person, password } from '#testing/features/person.ts'
import { startReceiver } from '#testing/features/receiver.ts'
import { teamsOn } from '#testing/features/team.ts'
import { makeNumber } from '#testing/make.ts'
import { type Canary, planted } from '#testing/matrix/canaries.ts'
import { sessionOf } from '#testing/session-of.ts'
import { sim } from '#testing/sim.ts'
import { startTestServer } from '#testing/start-server.ts'
import { readErasable } from './catalogue-store.ts'

const lines: string[] = []
const server = await startTestServer({
  env: { TRUSTED_PROXIES: '127.0.0.1', LOG_LEVEL: 'debug' },
  onLog: (line) => lines.push(line),
})
const { db } = server
const { visitor } = teamsOn(server)
const phone = '+12025557731'

/** Every table of the database; all of its columns are read. */
async function everyTable(): Promise<string[]> {
  const found = await rows<{ name: string }>(
    db,
    `select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  )
  return found.map(({ name }) => name)
}

/** Returns the tables whose rows contain a canary: as text, in JSON, or as the bytes of a column. */
async function tablesWith(canaries: readonly Canary[]): Promise<string[]> {
  const found: string[] = []
  for (const table of await everyTable()) {
    const stored = await rows<{ row: string }>(db, 'select lower(t::text) as row from :table: t', { table })
    const text = stored.map(({ row }) => row).join('\n')
    for (const [what, canary] of canaries) {
      const bytes = Buffer.from(canary).toString('hex')
      if (text.includes(canary.toLowerCase()) || text.includes(bytes)) found.push(`${what} in ${table}`)
    }
  }
  return found
}

/**
 * Returns the tables that hold rows of an organization, its numbers or its owner, by every column that can name them.
 */
async function tablesNaming(ids: readonly string[]): Promise<string[]> {
  const columns = await rows<{ table: string; column: string }>(
    db,
    `select c.table_name as table, c.column_name as column from information_schema.columns c
       join information_schema.tables t on t.table_name = c.table_name and t.table_schema = c.table_schema
      where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.data_type = 'uuid'
        and t.table_name <> 'erasures'
      order by 1, 2`,
  )
  const found: string[] = []
  for (const { table, column } of columns) {
    const named = await rows(db, 'select 1 as found from :table: where :column: = any(:ids::uuid[]) limit 1', {
      table,
      column,
      ids,
    })
    if (named.length > 0) found.push(`${table}.${column}`)
  }
  return found
}

interface Lived {
  readonly owner: Person
  readonly member: Person
  readonly containerId: string
  /** Returns the code that the authenticator of the owner shows. */
  readonly code: () => string
  readonly canaries: readonly Canary[]
}

/** Lets an organization use everything that stores something. */
async function live(): Promise<Lived> {
  const texts = planted()
  const owner = await makePerson(server, texts.name, texts.email)
  const { client, organizationId, userId: ownerId } = owner
  await rows(db, 'update organization_products set granted_at = service_now() where organization_id = :id', {
    id: organizationId,
  })
  const { authenticator } = await turnOn(client)
  const { apiKey } = await client.account.generateKey()
  const containerId = await makeNumber(server, { organizationId, apiKey, ownerId }, { label: texts.name })
  await client.numbers.generateKey({ containerId })
  await client.numbers.setSendGroup({ enabled: true, containerIds: [containerId], mode: 'backup' })
  await client.webhook.set({ webhookUrl: `${(await startReceiver()).url}${texts.webhookPath}` })
  await client.webhook.addEndpoint({ url: 'https://receiver.example/second', label: texts.reference })
  const keyed = { idempotencyKey: texts.idempotencyKey }
  await client.alert.send({ phone, message: texts.message, clientReference: texts.reference }, keyed)
  await client.alert.send({ phone: '+12025550111', message: texts.message })
  await client.contacts.setOptOutWords({ words: [texts.reference.slice(-20)] })
  const { requestId } = await client.otp.send({ phone })
  await client.otp.verify({ requestId, code: '000000' }).catch(() => undefined)
  const recipients = [{ phone, name: texts.name }]
  const { campaign } = await client.campaigns.create({ name: texts.name, template: texts.message, recipients })
  await client.campaigns.send({ id: campaign.id })
  const sendAt = new Date(server.services.clock.now().getTime() + 3600_000).toISOString()
  await client.reminders.create({ phone, message: texts.message, sendAt, label: texts.name })
  await sim(server, 'POST inbound', { containerId, from: phone, text: texts.written })
  const invited = newEmail()
  await client.team.invite({ email: invited, role: 'member' })
  const token = await linkTokenTo(server, invited, 'join')
  const joined = await sessionOf(visitor().auth.join({ token, name: 'Max', password }))
  const member = { ...owner, email: invited, userId: joined.user.id, client: server.client({ token: joined.token }) }
  await client.team.invite({ email: `second-${texts.email}`, role: 'admin' })
  await visitor()
    .auth.signIn({ email: texts.email, password: 'a wrong password' })
    .catch(() => undefined)
  await visitor().auth.forgotPassword({ email: texts.email })
  await mailsTo(server, texts.email)
  await visitor().auth.forgotPassword({ email: texts.email })
  await eventually(
    () => client.chats.unread(),
    ({ messages }) => messages.length > 0,
  )
  await eventually(
    () => client.messages.list(),
    ({ messages }) => messages.some(({ status }) => status === 'delivered'),
  )
  const { name, email, message, written, reference, idempotencyKey } = texts
  const canaries: Canary[] = [
    ['the name', name],
    ['the e-mail address', email],
    ['the text', message],
    ['what a person wrote', written],
    ['the reference', reference.slice(-20)],
    ['the idempotency key', idempotencyKey],
    ['the webhook', texts.webhookPath],
    ['the phone', phone.slice(1)],
  ]
  return { owner, member, containerId, code: () => authenticator.code(), canaries }
}

describe('the erasure of an organization and of its owner', () => {
  it('leaves no text, name, phone, address or id in any column of any table, and none in the log', async () => {
    const { owner, member, containerId, code, canaries } = await live()
    const { organizationId, userId } = owner
    const before = await tablesWith(canaries)
    for (const [what] of canaries) expect(before.map((one) => one.split(' in ')[0])).toContain(what)
    const ids = [organizationId, userId, containerId]
    expect((await tablesNaming(ids)).length).toBeGreaterThan(40)

    const name = `${owner.name} Engines`
    await owner.client.organization.delete({ name, password, code: code(), deleteAccount: true })
    expect(await tablesNaming([userId])).toEqual(['organizations.deleted_by', 'reminders.owner_id'])

    await server.advance(7 * 86_400)
    await eventually(
      () => rows(db, 'select 1 as found from erasures where organization_id = :organizationId', { organizationId }),
      (found) => found.length === 1,
    )
    expect(await tablesWith(canaries)).toEqual([])
    expect(await tablesNaming(ids)).toEqual([])
    const [kept] = await rows<{ hash: Buffer }>(
      db,
      'select name_hash as hash from erasures where organization_id = :organizationId',
      { organizationId },
    )
    expect(kept?.hash).toHaveLength(32)
    const log = lines.join('').toLowerCase()
    expect(log).toContain(organizationId)
    expect(canaries.filter(([, canary]) => log.includes(canary.toLowerCase()))).toEqual([])
    // The other member is still known, and belongs to themselves.
    expect(await tablesNaming([member.userId])).toEqual(['users.id'])
  })
})

describe('the catalogue', () => {
  it('finds every table that names an organization or a number, and those that hang on them', async () => {
    const found = (await readErasable(db)).map(({ table }) => table)
    const expected = await rows<{ table: string }>(
      db,
      `select distinct table_name as table from information_schema.columns
         join information_schema.tables using (table_schema, table_name)
        where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'erasures'
          and column_name in ('organization_id', 'container_id')`,
    )
    expect(found).toEqual(expect.arrayContaining(expected.map(({ table }) => table)))
    expect(found).toEqual(expect.arrayContaining(['reminder_sends', 'gateway_keys', 'gateway_sent']))
  })
})
