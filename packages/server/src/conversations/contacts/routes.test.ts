import type { GatewayEvent } from '@msgctl/network/gateway'
import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { handleGatewayEvents } from '#process/gateway-events.ts'
import { arrival, later, typed } from '#testing/features/arrivals.ts'
import { makeNumber, makeNumberKey, makeOrganization } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ worker: false })
const { db, services } = server
const receive = (...events: GatewayEvent[]) => handleGatewayEvents(services, events)
const from = (digits: string) => ({ kind: 'phone', digits }) as const
const hidden = (id: string) => ({ kind: 'lid', id }) as const

async function make() {
  const organization = await makeOrganization(server)
  const number = { organizationId: organization.organizationId, containerId: await makeNumber(server, organization) }
  return { organization, number, client: server.client(organization) }
}

type Person = Extract<GatewayEvent, { kind: 'contacts.upsert' }>['contacts'][number]
type Number = Awaited<ReturnType<typeof make>>['number']
const book = (number: Number, contacts: Person[]) =>
  receive({ kind: 'contacts.upsert', ...number, at: later(0), contacts })
const pair = (number: Number, lid: string, digits: string) =>
  receive({ kind: 'lid.mapping', ...number, at: later(0), lid, digits })

describe('GET /contacts', () => {
  it('finds saved names, network names and parts of numbers, the saved ones first, 10 by default', async () => {
    const { number, client } = await make()
    await receive(
      ...Array.from({ length: 12 }, (_, n) =>
        arrival(number, { from: from(`1405555${1000 + n}`), senderName: `Ann ${n}` }),
      ),
    )
    await book(number, [{ address: from('14055551005'), name: 'Annabel at work', saved: true }])
    const { contacts } = await client.contacts.search({ search: 'ANN' })
    expect(contacts).toHaveLength(10)
    expect(contacts[0]).toEqual({
      id: expect.any(String),
      name: 'Annabel at work',
      phone: '14055551005',
      lid: null,
      saved: true,
      optedOut: false,
    })
    expect((await client.contacts.search({ search: 'Ann 5' })).contacts).toMatchObject([{ name: 'Annabel at work' }])
    expect((await client.contacts.search({ search: '+1 405-555-1011' })).contacts).toMatchObject([{ name: 'Ann 11' }])
    expect((await client.contacts.search({ search: 'ann', limit: 50 })).contacts).toHaveLength(12)
    for (const query of [{ search: '' }, { search: 'x'.repeat(101) }, { search: 'a', limit: 51 }]) {
      await expect(client.contacts.search(query)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    }
  })

  it('shows the key of a number only the contacts of that number, and lets it opt out no others', async () => {
    const { organization, number, client } = await make()
    const other = { ...number, containerId: await makeNumber(server, organization) }
    const keyed = server.client({ apiKey: await makeNumberKey(server, organization, other.containerId) })
    await receive(
      arrival(number, { from: from('14055552001'), senderName: 'First' }),
      arrival(other, { from: from('14055552002'), senderName: 'Second' }),
    )
    expect((await client.contacts.search({ search: '1405555200' })).contacts).toHaveLength(2)
    expect((await keyed.contacts.search({ search: '1405555200' })).contacts).toMatchObject([{ name: 'Second' }])
    expect((await keyed.contacts.count()).count).toBe(1)
    const [first] = (await client.contacts.search({ search: 'First' })).contacts
    await expect(keyed.contacts.update({ id: first?.id ?? '', optedOut: true })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    await receive(arrival(other, { from: from('14055552001'), senderName: 'First' }))
    expect((await keyed.contacts.count()).count).toBe(2)
  })
})

describe('opting out', () => {
  const said: [text: string, own: string[], optedOut: boolean][] = [
    ['STOP', [], true],
    [' stop\n', [], true],
    ['Unsubscribe', [], true],
    ['stop it', [], false],
    ['CANCEL', [], false],
    ['cancel', ['CANCEL'], true],
    ['Genu\u0308g', ['gen\u00fcg'], true],
    ['\u200fSTOP\u200b', [], true],
    ['ＳＴＯＰ', [], true],
    ['إلغاء ٢', ['إلغاء 2'], true],
    ['إلغاء 2', ['إلغاء ٢'], true],
    ['\u200fSTART', ['no'], false],
    ['START', ['no'], false],
  ]
  it.each(said)('by %j, with own words %j: %s', async (text, words, optedOut) => {
    const { number, client } = await make()
    await client.contacts.setOptOutWords({ words })
    await receive(arrival(number, { from: from('14055553001'), text }))
    expect((await client.contacts.search({ search: '3001' })).contacts).toMatchObject([{ optedOut }])
  })

  it('knows the keywords that were stored in another form', async () => {
    const { organization, number, client } = await make()
    const { organizationId } = organization
    await db('opt_out_keywords').insert({ organizationId, keywords: ['ＥＮＯＵＧＨ ٢'] })
    await receive(arrival(number, { from: from('14055553001'), text: 'enough 2' }))
    expect((await client.contacts.search({ search: '3001' })).contacts).toMatchObject([{ optedOut: true }])
  })

  it('is what was said last, in whatever order it came, and START lets in again', async () => {
    const { number, client } = await make()
    const says = (text: string, seconds: number) =>
      receive(arrival(number, { from: from('14055553001'), text }, later(seconds)))
    const optedOut = async () => (await client.contacts.search({ search: '3001' })).contacts[0]?.optedOut
    await says('STOP', 10)
    expect(await optedOut()).toBe(true)
    await says('start', 20)
    expect(await optedOut()).toBe(false)
    await says('STOP', 15)
    expect(await optedOut()).toBe(false)
    await receive(
      arrival(number, { from: from('14055553001'), text: 'STOP' }, later(40)),
      arrival(number, { from: from('14055553001'), text: 'START' }, later(30)),
    )
    expect(await optedOut()).toBe(true)
  })

  it('is not decided in a group, nor by what the owner types', async () => {
    const { number, client } = await make()
    await receive(
      arrival(number, { from: from('14055553001'), text: 'hello' }),
      arrival(number, { from: from('14055553001'), text: 'STOP', groupId: '1203@g.us' }, later(5)),
      typed(number, '14055553001', 'STOP'),
    )
    expect((await client.contacts.search({ search: '3001' })).contacts).toMatchObject([{ optedOut: false }])
  })

  it('is done by PUT /contacts/:id too', async () => {
    const { number, client } = await make()
    await receive(arrival(number, { from: from('14055553001') }))
    const [contact] = (await client.contacts.search({ search: '3001' })).contacts
    const id = contact?.id ?? ''
    expect((await client.contacts.update({ id, optedOut: true })).contact).toEqual({ ...contact, optedOut: true })
    expect((await client.contacts.update({ id, optedOut: false })).contact).toEqual(contact)
  })

  it('keeps the organization’s own words as they are compared, and says who set them', async () => {
    const { organization, client } = await make()
    expect((await client.contacts.optOutWords()).words).toEqual([])
    expect((await client.contacts.setOptOutWords({ words: [' no more ', 'NO MORE', 'arr\u00eate'] })).words).toEqual([
      'NO MORE',
      'ARR\u00caTE',
    ])
    expect((await client.contacts.optOutWords()).words).toEqual(['NO MORE', 'ARR\u00caTE'])
    const log = await rows(db, 'select action, details from activity_log where organization_id = :id', {
      id: organization.organizationId,
    })
    expect(log).toMatchObject([{ action: 'opt_out_words.set', details: { words: 2 } }])
  })
})

describe('a person with a number and a hidden id', () => {
  it('is one contact once the network reports the pair, with the messages, names and decisions of both', async () => {
    const { number, client } = await make()
    const [digits, lid] = ['14055554001', '4001@lid']
    await receive(
      arrival(number, { from: from(digits), text: 'from the number', senderName: '' }, later(1)),
      arrival(number, { from: hidden(lid), text: 'from the hidden id', senderName: 'Jane' }, later(2)),
      arrival(number, { from: hidden(lid), text: 'STOP', senderName: 'Jane' }, later(3)),
    )
    expect((await client.contacts.count()).count).toBe(2)
    await pair(number, lid, digits)
    await pair(number, lid, digits)
    expect((await client.contacts.count()).count).toBe(1)
    expect((await client.contacts.search({ search: '4001' })).contacts).toMatchObject([
      { name: 'Jane', phone: digits, lid, optedOut: true },
    ])
    expect((await client.chats.list()).chats).toEqual([
      {
        containerId: expect.any(String),
        phone: digits,
        lid,
        name: 'Jane',
        lastMessage: 'STOP',
        lastDirection: 'in',
        lastAt: later(3).toISOString(),
        unread: 3,
      },
    ])
    expect((await client.chats.thread({ phone: lid })).messages.map(({ text }) => text)).toEqual([
      'from the number',
      'from the hidden id',
      'STOP',
    ])
    expect(await client.chats.read({ phone: lid })).toMatchObject({ marked: 3 })
  })

  it('keeps the contact when only one of the two was known', async () => {
    const { number, client } = await make()
    await receive(arrival(number, { from: hidden('5001@lid') }), arrival(number, { from: from('14055555002') }))
    await pair(number, '5001@lid', '14055555001')
    await pair(number, '5002@lid', '14055555002')
    await pair(number, '5003@lid', '14055555003')
    const { contacts } = await client.contacts.search({ search: '1405555500', limit: 50 })
    expect(contacts.map(({ phone, lid }) => [phone, lid]).sort()).toEqual([
      ['14055555001', '5001@lid'],
      ['14055555002', '5002@lid'],
      ['14055555003', '5003@lid'],
    ])
    expect((await client.chats.list()).chats).toHaveLength(2)
  })

  it('loses the hidden id to other digits when the network says so, and keeps what was written', async () => {
    const { number, client } = await make()
    await receive(arrival(number, { from: from('14055556001'), text: 'old' }))
    await pair(number, '6001@lid', '14055556001')
    await pair(number, '6001@lid', '14055556002')
    const { contacts } = await client.contacts.search({ search: '1405555600', limit: 50 })
    expect(contacts.map(({ phone, lid }) => [phone, lid]).sort()).toEqual([
      ['14055556001', null],
      ['14055556002', '6001@lid'],
    ])
    expect((await client.chats.thread({ phone: '14055556001' })).messages).toMatchObject([{ text: 'old' }])
  })

  it('is identified by digits in events as soon as they are known, in groups too', async () => {
    const { number, client } = await make()
    await pair(number, '7001@lid', '14055557001')
    await receive(
      arrival(number, { from: hidden('7001@lid') }),
      arrival(number, { from: hidden('7001@lid'), groupId: '1203@g.us' }),
      arrival(number, { from: from('14055557002'), lid: '7002@lid' }),
    )
    const { events } = await client.events.list({ types: 'message.inbound' })
    expect(events.map(({ data }) => (data as { sender: string }).sender).sort()).toEqual([
      '14055557001',
      '14055557001',
      '14055557002',
    ])
    expect((await client.contacts.search({ search: '7002@lid' })).contacts).toMatchObject([{ phone: '14055557002' }])
  })

  it('loses nothing that arrives while the two are brought together', async () => {
    const { number, client } = await make()
    for (let round = 0; round < 10; round++) {
      const digits = `1405556${1000 + round}`
      const lid = `8${1000 + round}@lid`
      await Promise.all([
        ...Array.from({ length: 4 }, (_, n) =>
          receive(arrival(number, { from: n % 2 ? hidden(lid) : from(digits) }, later(n))),
        ),
        pair(number, lid, digits),
      ])
      expect((await client.chats.thread({ phone: digits })).messages).toHaveLength(4)
      expect((await client.chats.list({ search: digits })).chats).toMatchObject([{ phone: digits, lid, unread: 4 }])
    }
    expect((await client.contacts.count()).count).toBe(10)
  })
})
