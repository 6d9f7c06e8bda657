import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { eventually } from '#testing/eventually.ts'
import { people } from '#testing/features/campaign-people.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { settled } from '#testing/settled.ts'
import { sim } from '#testing/sim.ts'
import { startTestServer } from '#testing/start-server.ts'
import { erasedByContact, erasedByPhone, keptOfPersons } from './contact-plan.ts'
import { eraseContact } from './erase-contact.ts'

const server = await startTestServer()
const { db } = server
const phone = '12025557741'
const other = '12025557742'

/** Returns the tables whose rows contain a text, without events, logs and what ends within days. */
async function tablesWith(text: string): Promise<string[]> {
  const ending = /^(events|webhook_deliveries|activity_log|idempotency_keys|sim_|gateway_|message_text|guard_sends)/
  const tables = await rows<{ name: string }>(
    db,
    `select table_name as name from information_schema.tables where table_schema = 'public'
      and table_type = 'BASE TABLE'`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    if (ending.test(name)) continue
    const stored = await rows(db, `select 1 as found from :name: t where t::text like :part limit 1`, {
      name,
      part: `%${text}%`,
    })
    if (stored.length > 0) found.push(name)
  }
  return found.sort()
}

async function makeConversation() {
  const organization = await makeOrganization(server)
  const containerId = await makeNumber(server, organization)
  const client = server.client(organization)
  for (const to of [phone, other]) {
    await client.alert.send({ phone: to, message: `canary for ${to}` })
    await sim(server, 'POST inbound', { containerId, from: to, text: `reply of ${to}`, name: `Name of ${to}` })
  }
  await client.reminders.create({ phone, message: 'canary later', sendAt: '2099-01-01T10:00:00Z' })
  await settled(db)
  await eventually(
    () => client.chats.list({ containerId }),
    ({ chats }) => chats.length === 2,
  )
  return { ...organization, containerId, client }
}

describe('erasing one person', () => {
  it('leaves nothing of them but events, and everything of others', async () => {
    const { organizationId, containerId, client } = await makeConversation()
    const before = await client.messages.stats()
    expect(await tablesWith(phone)).toEqual(expect.arrayContaining(['chat_messages', 'contacts', 'messages']))
    const erased = await eraseContact(db, organizationId, phone)
    expect(erased.optOutKept).toBe(false)
    expect(erased.rows).toMatchObject({ messages: 1, chats: 1, reminders: 1 })
    expect(await tablesWith(phone)).toEqual([])
    expect(await client.messages.stats()).toEqual(before)
    expect((await client.chats.list({ containerId })).chats).toHaveLength(1)
    expect((await client.messages.list()).messages).toMatchObject([{ recipient: other }])
    expect((await eraseContact(db, organizationId, phone)).rows).toMatchObject({ messages: 0, chat_messages: 0 })
  })

  it('keeps the phone of a person who opted out', async () => {
    const { organizationId, client } = await makeConversation()
    await client.contacts.addOptOuts({ phones: [phone] })
    expect(await eraseContact(db, organizationId, phone)).toMatchObject({ optOutKept: true })
    expect(await tablesWith(`Name of ${phone}`)).toEqual([])
    expect((await client.contacts.optOuts()).optOuts).toMatchObject([{ phone, name: null }])
  })

  it('is refused while a message waits, and while a campaign that has not ended lists them', async () => {
    const idle = await startTestServer({ worker: false })
    const organization = await makeOrganization(idle)
    await makeNumber(idle, organization)
    const { organizationId } = organization
    const client = idle.client(organization)
    const { campaign } = await client.campaigns.create({
      name: 'Open',
      template: 'hi',
      recipients: [{ phone }, ...people(1)],
    })
    await expect(eraseContact(idle.db, organizationId, phone)).rejects.toThrow(/have not ended list this person: Open/)
    await client.campaigns.delete({ id: campaign.id })
    await client.alert.send({ phone, message: 'waits' })
    await expect(eraseContact(idle.db, organizationId, phone)).rejects.toThrow(/wait or are being sent: 1/)
    await expect(eraseContact(idle.db, crypto.randomUUID(), phone)).rejects.toThrow(/There is no organization/)
  })

  it('knows every column that names a person', async () => {
    const columns = await rows<{ name: string }>(
      db,
      `select c.table_name || '.' || c.column_name as name from information_schema.columns c
         join information_schema.tables t using (table_schema, table_name)
        where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
          and c.column_name in ('phone', 'recipient', 'digits', 'contact_id', 'lid', 'chat_id')
        order by 1`,
    )
    const known = [...erasedByPhone, ...erasedByContact].map(({ table, column }) => `${table}.${column}`)
    const named = columns.map(({ name }) => name)
    expect(named).toEqual([...known, ...Object.keys(keptOfPersons)].sort())
  })
})
