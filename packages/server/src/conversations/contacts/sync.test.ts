import { GatewayError } from '@msgctl/network/errors'
import type { GatewayEvent } from '@msgctl/network/gateway'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { importHistories } from '#conversations/inbound/import.ts'
import { handleGatewayEvents } from '#process/gateway-events.ts'
import { arrival, later } from '#testing/features/arrivals.ts'
import { makeNumber, makeOrganization, makeToken } from '#testing/make.ts'
import { sim } from '#testing/sim.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ worker: false })
const { services } = server
const receive = (...events: GatewayEvent[]) => handleGatewayEvents(services, events)
const from = (digits: string) => ({ kind: 'phone', digits }) as const

async function make() {
  const organization = await makeOrganization(server)
  const number = { organizationId: organization.organizationId, containerId: await makeNumber(server, organization) }
  return { organization, number, client: server.client(organization) }
}

/** Lets the service's own deadlines of `ms` end soon enough for a test. */
function shorten(ms: number): void {
  const { setTimeout: real } = globalThis
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, wait?: number, ...rest: []) =>
    real(run, wait === ms ? 20 : wait, ...rest)) as typeof setTimeout)
}
const never = () => new Promise<never>(() => {})

afterEach(() => {
  vi.restoreAllMocks()
})

describe('POST /contacts/sync', () => {
  it('reads the address book, removes names that left it, and imports recent chats after the response', async () => {
    const { number, client } = await make()
    const contacts = [{ address: from('14055559001'), name: 'Was saved', saved: true }]
    await receive({ kind: 'contacts.upsert', ...number, at: later(0), contacts })
    const { networkId } = await sim<{ networkId: string }>(server, 'POST inbound', {
      containerId: number.containerId,
      from: '12025550130',
      text: 'before anybody listened',
    })
    await sim(server, 'POST inbound', { containerId: number.containerId, from: '12025550136', type: 'image' })
    const answer = await client.contacts.sync()
    expect(answer).toMatchObject({
      success: true,
      contacts: 4,
      saved: 3,
      lidsLinked: 1,
      messagesLinked: 0,
      importing: true,
    })
    expect((await client.contacts.search({ search: '9001' })).contacts).toMatchObject([{ saved: false, name: null }])
    expect(await client.contacts.count()).toMatchObject({ count: 5, historyImportedAt: null, importing: true })
    await importHistories(services)
    expect(await client.contacts.count()).toMatchObject({ importing: false, historyImportedAt: expect.any(String) })
    expect((await client.chats.thread({ phone: '12025550130' })).messages).toMatchObject([
      { direction: 'in', text: 'before anybody listened' },
    ])
    expect((await client.chats.list({ search: '0136' })).chats).toMatchObject([
      { lastMessage: '', lastAttachment: 'Photo' },
    ])
    expect((await client.chats.unread()).messages).toEqual([])
    expect((await client.events.list({ types: 'message.inbound' })).events).toEqual([])

    // The network may still report what the import found: then it is new, once.
    const message = arrival(number, { networkId, from: from('12025550130'), text: 'before anybody listened' })
    await receive(message, message)
    await receive(message)
    expect((await client.events.list({ types: 'message.inbound' })).events).toHaveLength(1)
    expect((await client.chats.unread()).messages).toMatchObject([{ text: 'before anybody listened' }])
    expect((await client.chats.thread({ phone: '12025550130' })).messages).toHaveLength(1)
  })

  it('brings a whole address book together, whatever was known of its people', async () => {
    const { number, client } = await make()
    const { gateway } = services
    const lid = (n: number) => `${7700000 + n}@lid`
    const digits = (n: number) => String(14055560000 + n)
    await receive(
      arrival(number, { networkId: 'by-digits', from: from(digits(1)), text: 'one' }),
      arrival(number, { networkId: 'by-lid', from: { kind: 'lid', id: lid(2) }, text: 'two' }),
      arrival(number, { networkId: 'three-digits', from: from(digits(3)), text: 'three' }),
      arrival(number, { networkId: 'three-lid', from: { kind: 'lid', id: lid(3) }, text: 'three too' }),
    )
    const book = Array.from({ length: 600 }, (_, n) => ({
      address: from(digits(n)),
      lid: lid(n),
      name: `P${n}`,
      saved: true,
    }))
    vi.spyOn(gateway, 'contacts').mockResolvedValue(book)
    vi.spyOn(gateway, 'lids').mockResolvedValue([])
    expect(await client.contacts.sync()).toMatchObject({
      contacts: 600,
      saved: 600,
      lidsLinked: 600,
      messagesLinked: 2,
    })
    expect(await client.contacts.count()).toMatchObject({ count: 600 })
    expect((await client.contacts.search({ search: digits(599) })).contacts).toMatchObject([
      { lid: lid(599), name: 'P599' },
    ])
    expect((await client.chats.list()).chats).toHaveLength(3)
    expect((await client.chats.thread({ phone: lid(3) })).messages).toHaveLength(2)
    expect(await client.contacts.sync()).toMatchObject({ lidsLinked: 0, messagesLinked: 0 })
  })

  it('gives each person of an address book one number and one hidden id, although some have two entries', async () => {
    const { client } = await make()
    const { gateway } = services
    const pairs = [
      { lid: '8800001@lid', digits: '14055570001' },
      { lid: '8800001@lid', digits: '14055570002' },
      { lid: '8800002@lid', digits: '14055570003' },
      { lid: '8800003@lid', digits: '14055570003' },
    ]
    const halves = [
      { lid: '', digits: '14055570004' },
      { lid: '8800009@lid', digits: '' },
    ]
    vi.spyOn(gateway, 'contacts').mockResolvedValue([])
    vi.spyOn(gateway, 'lids').mockResolvedValue([...pairs, ...halves])
    await client.contacts.sync()
    expect((await client.contacts.search({ search: '8800009' })).contacts).toEqual([])
    const { contacts } = await client.contacts.search({ search: '1405557' })
    expect(contacts.map(({ phone }) => phone)).toEqual(['14055570001', '14055570002', '14055570003'])
    const known = contacts.flatMap(({ lid }) => lid ?? [])
    expect(new Set(known).size).toBe(known.length)
    expect(known).toContain('8800001@lid')
  })

  it('gives up an import after five tries, and starts again with the next sync', async () => {
    const { number, client } = await make()
    await client.contacts.sync()
    await sim(server, `POST numbers/${number.containerId}/drop`, { seconds: 86_000 })
    for (let attempt = 1; attempt <= 5; attempt++) {
      expect((await client.contacts.count()).importing).toBe(true)
      await importHistories(services)
      await server.advance(600)
    }
    expect(await client.contacts.count()).toMatchObject({ importing: false, historyImportedAt: null })
  })

  it.each(['contacts', 'lids'] as const)('ends when the driver never returns the %s', async (call) => {
    const { client } = await make()
    shorten(12_000)
    vi.spyOn(services.gateway, call).mockReturnValue(never())
    await expect(client.contacts.sync()).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT', status: 504 })
  })

  it.each(['chats', 'messages'] as const)(
    'continues an import later when the driver never returns the %s',
    async (call) => {
      const { number, client } = await make()
      const from = '12025550130'
      await sim(server, 'POST inbound', { containerId: number.containerId, from, text: 'earlier' })
      await client.contacts.sync()
      shorten(10_000)
      vi.spyOn(services.gateway, call).mockReturnValue(never())
      await importHistories(services)
      expect(await client.contacts.count()).toMatchObject({ importing: true })
      vi.restoreAllMocks()
      await server.advance(600)
      await importHistories(services)
      expect(await client.contacts.count()).toMatchObject({ importing: false, historyImportedAt: expect.any(String) })
    },
  )

  it('does not give up an import whose fifth try gets on', async () => {
    const { number, client } = await make()
    for (const from of ['12025550130', '12025550136'])
      await sim(server, 'POST inbound', { containerId: number.containerId, from, text: 'earlier' })
    await client.contacts.sync()
    const silent = new GatewayError('unreachable', 'The driver does not respond.', { outcome: 'not_sent' })
    const { gateway } = services
    const messages = gateway.messages.bind(gateway)
    const asked = vi.spyOn(gateway, 'messages').mockRejectedValue(silent)
    for (let attempt = 1; attempt <= 4; attempt++) {
      await importHistories(services)
      await server.advance(600)
    }
    asked.mockImplementationOnce(messages)
    await importHistories(services)
    expect(await client.contacts.count()).toMatchObject({ importing: true })
    await server.advance(600)
    vi.restoreAllMocks()
    await importHistories(services)
    expect(await client.contacts.count()).toMatchObject({ importing: false, historyImportedAt: expect.any(String) })
    for (const phone of ['12025550130', '12025550136'])
      expect((await client.chats.thread({ phone })).messages).toMatchObject([{ text: 'earlier' }])
  })

  it('gives up an import that stands before the same chat each time', async () => {
    const { number, client } = await make()
    for (const from of ['12025550136', '12025550130']) {
      await sim(server, 'POST inbound', { containerId: number.containerId, from, text: 'earlier' })
      await server.advance(1)
    }
    await client.contacts.sync()
    const { gateway } = services
    const messages = gateway.messages.bind(gateway)
    const silent = new GatewayError('unreachable', 'The driver does not respond.', { outcome: 'not_sent' })
    vi.spyOn(gateway, 'messages').mockImplementation((session, chat, limit) =>
      chat.kind === 'phone' && chat.digits === '12025550136' ? Promise.reject(silent) : messages(session, chat, limit),
    )
    for (let attempt = 1; attempt <= 5; attempt++) {
      expect((await client.contacts.count()).importing).toBe(true)
      await importHistories(services)
      await server.advance(600)
    }
    expect(await client.contacts.count()).toMatchObject({ importing: false, historyImportedAt: null })
    expect((await client.chats.thread({ phone: '12025550130' })).messages).toMatchObject([{ text: 'earlier' }])
  })

  it('needs a number that is connected', async () => {
    const organization = await makeOrganization(server)
    const client = server.client(organization)
    await expect(client.contacts.sync()).rejects.toMatchObject({ code: 'NO_SESSION_CONFIGURED' })
    const containerId = await makeNumber(server, organization, { linked: false })
    await expect(client.contacts.sync({ containerId })).rejects.toMatchObject({ code: 'NO_SESSION_CONFIGURED' })
  })

  it.each([
    ['drop', 'GATEWAY_SESSION_ERROR', 503],
    ['host-down', 'GATEWAY_UNREACHABLE', 503],
  ])('says what the network says after %s: %s', async (what, code, status) => {
    const { number, client } = await make()
    await sim(server, `POST numbers/${number.containerId}/${what}`, what === 'drop' ? { seconds: 86_000 } : {})
    await expect(client.contacts.sync()).rejects.toMatchObject({ code, status })
  })

  it('reports an import while a phone transfers its history, until the phone reports the end', async () => {
    const { number, client } = await make()
    const says = (imported: number, done: boolean, seconds: number) =>
      receive({ kind: 'history.progress', ...number, at: later(seconds), imported, done })
    const now = (services.clock.now().getTime() - later(0).getTime()) / 1000
    await says(10, false, now)
    expect(await client.contacts.count()).toMatchObject({ importing: true, historyImportedAt: null })
    await says(20, true, now + 1)
    await says(15, false, now)
    const at = new Date(Math.floor(later(now + 1).getTime())).toISOString()
    expect(await client.contacts.count()).toMatchObject({ importing: false, historyImportedAt: at })
  })

  it('counts a contact as saved only while a number of the organization has it in its address book', async () => {
    const { number, client, organization } = await make()
    const contacts = [{ address: from('14055559002'), name: 'Was saved', saved: true }]
    await receive({ kind: 'contacts.upsert', ...number, at: later(0), contacts })
    expect((await client.contacts.search({ search: '9002' })).contacts).toMatchObject([{ saved: true }])
    const owner = server.client({ token: await makeToken(server, organization) })
    await owner.numbers.delete({ containerId: number.containerId })
    expect((await client.contacts.search({ search: '9002' })).contacts).toMatchObject([
      { saved: false, name: 'Was saved' },
    ])
  })

  it('reports no import for a number that was removed in the meantime', async () => {
    const { number, client, organization } = await make()
    await client.contacts.sync()
    await receive({ kind: 'history.progress', ...number, at: services.clock.now(), imported: 1, done: false })
    const owner = server.client({ token: await makeToken(server, organization) })
    await owner.numbers.delete({ containerId: number.containerId })
    expect(await client.contacts.count()).toMatchObject({ importing: false, historyImportedAt: null })
  })
})
