import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { turnOn } from '#testing/features/authenticator.ts'
import { linkTokenTo, makePerson, newEmail } from '#testing/features/person.ts'
import { teamsOn } from '#testing/features/team.ts'
import { makeNumber } from '#testing/make.ts'
import { planted } from '#testing/matrix/canaries.ts'
import { makeOtherTenant } from '#testing/matrix/other-tenant.ts'
import { settled } from '#testing/settled.ts'
import { sim } from '#testing/sim.ts'
import { startTestServer } from '#testing/start-server.ts'
import { columnClasses } from './column-classes.ts'
import { listMoved } from './export.ts'
import { giveData } from './give-data.ts'
import { givenTables } from './given-tables.ts'

const server = await startTestServer({ env: { TRUSTED_PROXIES: '127.0.0.1' } })
const { db } = server
const phone = '+12025550100'
const canaries = planted()

/** Lets an organization use much of the service. Returns its texts, and everything that lets a caller in. */
async function live() {
  const { name, email, message, written, reference, webhookPath } = canaries
  const owner = await makePerson(server, name, email)
  const { client, organizationId, userId: ownerId } = owner
  await rows(
    db,
    'update organization_products set granted_at = service_now() where organization_id = :organizationId',
    {
      organizationId,
    },
  )
  const { recoveryCodes } = await turnOn(client)
  const member = await teamsOn(server).joined(owner)
  const invited = newEmail()
  await client.team.invite({ email: invited, role: 'admin' })
  const invitation = await linkTokenTo(server, invited, 'join')
  const { apiKey } = await client.account.generateKey()
  const containerId = await makeNumber(server, { organizationId, apiKey, ownerId }, { label: name })
  const { apiKey: numberKey } = await client.numbers.generateKey({ containerId })
  const { signingSecret } = await client.webhook.set({ webhookUrl: `https://example.com${webhookPath}` })
  await client.alert.send({ phone, message, clientReference: reference }, { idempotencyKey: canaries.idempotencyKey })
  await client.otp.send({ phone })
  const recipients = [{ phone, variables: { name: reference } }]
  await client.campaigns.create({ name, template: `{{name}} ${message}`, recipients })
  await client.reminders.create({ phone, message, label: reference, sendAt: '2099-01-01T00:00:00Z' })
  await client.contacts.setOptOutWords({ words: [reference.slice(-20)] })
  await sim(server, 'POST inbound', { containerId, from: phone, text: written, name })
  await settled(db)
  const secrets = [owner.token, member.token, invitation, apiKey, numberKey, signingSecret ?? '', ...recoveryCodes]
  return { owner, member, invited, secrets }
}

/**
 * Returns the stored values by which an organization and its people are let in, as the database and JSON write them.
 */
async function storedCredentials(organizationId: string): Promise<string[]> {
  const found: string[] = []
  for (const { table, where } of await listMoved(db)) {
    const entry = columnClasses[table]
    if (!entry || 'never' in entry || (!('given' in entry) && entry.moves !== 'credential')) continue
    const named = 'given' in entry ? (entry.moves.credential ?? '').split(' ') : null
    const stored = await rows<{ row: Record<string, unknown> }>(
      db,
      `select to_jsonb(t) as row from ${table} t where ${where}`,
      { organizationId },
    )
    for (const { row } of stored) {
      for (const [column, value] of Object.entries(row)) {
        if (named ? !named.includes(column) : !/hash|sealed|secret|body/.test(column)) continue
        if (value !== null) found.push(String(typeof value === 'object' ? JSON.stringify(value) : value))
      }
    }
  }
  return found
}

it('gives an organization what is its own, and no hash, key, token, secret or id of a person', async () => {
  await makeOtherTenant(server)
  const { owner, member, invited, secrets } = await live()
  const { organizationId, client } = owner
  let text = ''
  const given = await giveData(db, organizationId, async (some) => {
    // The organization works, and the file is as of one moment.
    if (text === '') await client.alert.send({ phone, message: 'sent during the export' })
    text += some
  })
  const [header, ...records] = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(given).toMatchObject({ organizationId, name: `${canaries.name} Engines`, rows: records.length })
  expect(text).not.toContain('sent during the export')
  expect((await client.messages.list()).messages[0]?.content).toBe('sent during the export')

  const { name, email, message, written, reference, webhookPath } = canaries
  for (const own of [name, email, message, written, reference, webhookPath, phone.slice(1), invited, member.email]) {
    expect(text).toContain(own)
  }
  const kinds = new Set(records.map((record) => Object.keys(record).join()))
  expect([...kinds].filter((kind) => !(kind in header.kinds))).toEqual([])
  expect([...kinds]).toEqual(
    expect.arrayContaining([
      'messages',
      'contacts',
      'chatMessages',
      'campaigns',
      'reminders',
      'otpRequests',
      'webhooks',
    ]),
  )
  const people = records.flatMap(({ members }) => (members ? [members] : []))
  expect(people).toEqual(
    expect.arrayContaining([
      { name, email, role: 'owner' },
      { name: 'Max', email: member.email, role: 'member' },
    ]),
  )
  const entry = records.find(({ activityLog }) => activityLog?.action === 'webhook.set')
  expect(Object.keys(entry.activityLog).sort()).toEqual([
    'action',
    'actorKind',
    'actorName',
    'at',
    'details',
    'subject',
  ])
  expect(entry.activityLog.actorName).toBe(name)

  const hashes = secrets.map((secret) => createHash('sha256').update(secret).digest())
  const stored = await storedCredentials(organizationId)
  expect(stored.length).toBeGreaterThan(15)
  for (const hidden of [
    ...secrets,
    ...hashes.flatMap((hash) => [hash.toString('hex'), hash.toString('base64')]),
    ...stored.filter((value) => value.length >= 12).map((value) => value.replace(/^\\x/, '')),
    owner.userId,
    member.userId,
    'argon2id',
  ]) {
    expect(text.includes(hidden), `the file holds ${hidden}`).toBe(false)
  }
})

it('says what each kind of record is', () => {
  for (const { about } of Object.values(givenTables)) expect(about).toMatch(/^[a-z][^.]*[a-zA-Z0-9]$/i)
})

it('refuses an organization that does not exist', async () => {
  await expect(giveData(db, crypto.randomUUID(), async () => undefined)).rejects.toThrow('There is no organization')
})
