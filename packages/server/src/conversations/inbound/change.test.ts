import type { GatewayEvent } from '@msgctl/network/gateway'
import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { handleGatewayEvents } from '#process/gateway-events.ts'
import { arrival, later } from '#testing/features/arrivals.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'
import { sweepChanges } from './change.ts'

const server = await startTestServer({ worker: false })
const { db, services } = server
const organization = await makeOrganization(server)
const number = { organizationId: organization.organizationId, containerId: await makeNumber(server, organization) }
const client = server.client(organization)

const receive = (...events: GatewayEvent[]) => handleGatewayEvents(services, events)
const edited = (networkId: string, text: string, at = later(10)) =>
  ({ kind: 'message.edited', ...number, networkId, text, at }) as const
const revoked = (networkId: string, at = later(20)) => ({ kind: 'message.revoked', ...number, networkId, at }) as const

let people = 0
function someone() {
  people += 1
  return { kind: 'phone', digits: `1303556${String(people).padStart(4, '0')}` } as const
}

const threadOf = async (phone: string) => (await client.chats.thread({ phone })).messages
const chatsOf = async (phone: string) => (await client.chats.list({ search: phone })).chats
const waiting = () => rows(db, 'select network_id from pending_changes')

describe('a change that a person makes on the phone', () => {
  it.each(['after', 'before'])('of the words holds, %s the message itself came', async (order) => {
    const from = someone()
    const message = arrival(number, { from, text: 'helo' })
    const change = edited(message.message.networkId, 'hello')
    for (const event of order === 'after' ? [message, change, change] : [change, change, message]) await receive(event)
    expect(await threadOf(from.digits)).toMatchObject([{ text: 'hello' }])
    expect(await chatsOf(from.digits)).toMatchObject([{ lastMessage: 'hello', unread: 1 }])
    expect(await waiting()).toEqual([])
  })

  it('of the words is the latest one, whichever came last', async () => {
    const from = someone()
    const message = arrival(number, { from })
    const { networkId } = message.message
    await receive(message, edited(networkId, 'second', later(12)))
    await receive(edited(networkId, 'first', later(11)))
    expect(await threadOf(from.digits)).toMatchObject([{ text: 'second' }])
  })

  it.each(['after', 'before'])('that takes a message back makes it go, %s it came', async (order) => {
    const from = someone()
    const first = arrival(number, { from, text: 'stays' })
    const second = arrival(number, { from, text: 'goes' }, later(5))
    await receive(first)
    const change = revoked(second.message.networkId)
    for (const event of order === 'after' ? [second, change, change] : [change, second]) await receive(event)
    expect(await threadOf(from.digits)).toMatchObject([{ text: 'stays' }])
    expect(await chatsOf(from.digits)).toMatchObject([
      { lastMessage: 'stays', lastAt: first.at.toISOString(), unread: 1 },
    ])
    const { messages } = await client.chats.unread({ limit: 500 })
    expect(messages.filter(({ phone }) => phone === from.digits)).toMatchObject([{ text: 'stays' }])
  })

  it('of what another person wrote changes nothing, and takes no place', async () => {
    const [from, other] = [someone(), someone()]
    const message = arrival(number, { from, text: 'mine', lid: '4242@lid' })
    const { networkId } = message.message
    await receive(message)
    const by = [other, { kind: 'lid', id: '888@lid' }] as const
    await receive({ ...edited(networkId, 'a lie', later(12)), by }, { ...revoked(networkId), by })
    await receive({ ...edited(networkId, 'a lie', later(12)), by: 'account' })
    expect(await threadOf(from.digits)).toMatchObject([{ text: 'mine' }])
    const hidden = [{ kind: 'lid', id: '4242@lid' }] as const
    await receive({ ...edited(networkId, 'x', later(14)), by }, { ...edited(networkId, 'ours', later(13)), by: hidden })
    expect(await threadOf(from.digits)).toMatchObject([{ text: 'ours' }])
    await receive({ ...revoked(networkId), by: [from] })
    expect(await threadOf(from.digits)).toEqual([])
    expect(await waiting()).toEqual([])
  })

  it('of what the owner wrote on the phone is made by the owner only', async () => {
    const to = someone()
    const networkId = `typed-${to.digits}`
    await receive({ kind: 'message.out', ...number, networkId, to, text: 'typed', at: later(1) })
    await receive({ ...edited(networkId, 'a lie'), by: [to] }, { ...revoked(networkId), by: [to] })
    expect(await threadOf(to.digits)).toMatchObject([{ text: 'typed' }])
    await receive({ ...edited(networkId, 'changed'), by: 'account' })
    expect(await threadOf(to.digits)).toMatchObject([{ text: 'changed' }])
  })

  it('that takes the only message back ends the chat, until the next one', async () => {
    const from = someone()
    const message = arrival(number, { from })
    await receive(message, revoked(message.message.networkId))
    expect(await chatsOf(from.digits)).toEqual([])
    await receive(arrival(number, { from, text: 'again' }))
    expect(await chatsOf(from.digits)).toMatchObject([{ lastMessage: 'again', unread: 1 }])
  })

  it('of a message that never comes is forgotten after an hour', async () => {
    await receive(revoked('never-came'))
    await sweepChanges(services)
    expect(await waiting()).toHaveLength(1)
    await server.advance(3601)
    await sweepChanges(services)
    expect(await waiting()).toEqual([])
  })
})

describe('a change that the owner makes on the phone of what the service sent', () => {
  async function sent(phone: string) {
    const { messageId } = await client.alert.send({ phone, message: 'helo' })
    // No worker runs here.
    await rows(
      db,
      `update messages set status = 'sent', sent_at = service_now(), gateway_message_id = network_client_id
        where id = :messageId`,
      { messageId },
    )
    const [row] = await rows<{ networkId: string }>(
      db,
      'select network_client_id as network_id from messages where id = :messageId',
      { messageId },
    )
    return { messageId, networkId: row?.networkId ?? '' }
  }

  it('is in GET /messages and in the chat', async () => {
    const phone = '12025550122'
    const { messageId, networkId } = await sent(phone)
    await receive(edited(networkId, 'hello'))
    expect((await client.messages.get({ id: messageId })).message.content).toBe('hello')
    expect(await threadOf(phone)).toMatchObject([{ text: 'hello' }])
    await receive(revoked(networkId))
    expect(await threadOf(phone)).toEqual([])
    expect(await chatsOf(phone)).toEqual([])
    const steps = (await client.messages.get({ id: messageId })).timeline.map(({ step }) => step)
    expect(steps).toEqual(expect.arrayContaining(['edited', 'deleted']))
  })

  it('is no change that another person makes', async () => {
    const phone = '12025550124'
    const { messageId, networkId } = await sent(phone)
    const by = [{ kind: 'phone', digits: phone }] as const
    await receive({ ...edited(networkId, 'a lie'), by }, { ...revoked(networkId), by })
    expect((await client.messages.get({ id: messageId })).message.content).toBe('helo')
    await receive({ ...edited(networkId, 'hello'), by: 'account' })
    expect((await client.messages.get({ id: messageId })).message.content).toBe('hello')
  })

  it('does not bring back words that the API changed since', async () => {
    const { messageId, networkId } = await sent('12025550121')
    await receive(edited(networkId, 'one'))
    await rows(db, `update messages set content = 'two', edited_at = :at where id = :messageId`, {
      messageId,
      at: later(30),
    })
    await receive(edited(networkId, 'one'), edited(networkId, 'an echo', later(29)))
    expect((await client.messages.get({ id: messageId })).message.content).toBe('two')
  })

  it('waits for a message whose id is not known yet', async () => {
    const phone = '12025550123'
    const { messageId, networkId } = await sent(phone)
    await rows(db, 'update messages set gateway_message_id = null where id = :messageId', { messageId })
    await receive(edited(networkId, 'hello'))
    await rows(db, 'update messages set gateway_message_id = :networkId where id = :messageId', {
      messageId,
      networkId,
    })
    await sweepChanges(services)
    expect(await threadOf(phone)).toMatchObject([{ text: 'hello' }])
  })
})

describe('a file in high definition', () => {
  const raw = (name: string) => ({ kind: 'image', directPath: `/v/${name}` })
  const media = { mimetype: 'image/jpeg', sizeBytes: 900 }
  const better = (networkId: string, from: ReturnType<typeof someone>) =>
    ({ kind: 'message.file', ...number, at: later(5), networkId, from, media, raw: raw('large') }) as const
  const photo = (from: ReturnType<typeof someone>) =>
    arrival(number, { from, type: 'image', text: '', media: { ...media, sizeBytes: 90 }, raw: raw('small') })

  /** Returns the sizes and references of the files in a chat. */
  async function filesOf(phone: string) {
    const messages = await threadOf(phone)
    const ids = messages.map(({ id }) => id)
    const refs = await rows<{ path: string }>(
      db,
      `select network_ref->>'directPath' as path from chat_messages where id = any(:ids::uuid[])`,
      { ids },
    )
    return { sizes: messages.map(({ attachment }) => attachment?.sizeBytes), paths: refs.map(({ path }) => path) }
  }

  it('replaces the one of its message, in one batch or later', async () => {
    for (const inOneBatch of [true, false]) {
      const from = someone()
      const message = photo(from)
      const events = [message, better(message.message.networkId, from)]
      if (inOneBatch) await receive(...events)
      else for (const event of events) await receive(event)
      expect(await filesOf(from.digits)).toEqual({ sizes: [900], paths: ['/v/large'] })
    }
  })

  it('replaces none of another person, of another kind, or of a message that is not there', async () => {
    const [from, other] = [someone(), someone()]
    const [message, text] = [photo(from), arrival(number, { from: other })]
    await receive(message, text)
    await receive(better(message.message.networkId, other), better(text.message.networkId, other))
    await receive(better('never-came', from))
    expect(await filesOf(from.digits)).toEqual({ sizes: [90], paths: ['/v/small'] })
    expect(await filesOf(other.digits)).toEqual({ sizes: [undefined], paths: [null] })
  })
})
