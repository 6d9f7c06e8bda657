import { describe, expect, it } from 'vitest'
import { deleteOrphans } from '#conversations/inbound/cleanup.ts'
import { rows } from '#platform/db/db.ts'
import { handleGatewayEvents } from '#process/gateway-events.ts'
import { arrival } from '#testing/features/arrivals.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { serveDatabase, startTestServer } from '#testing/start-server.ts'
import { storeMessages } from '#testing/stored-messages.ts'
import { rollUpChats } from './roll-up.ts'

const server = await startTestServer({ worker: false })
const { db } = server

async function make() {
  const organization = await makeOrganization(server)
  const number = { organizationId: organization.organizationId, containerId: await makeNumber(server, organization) }
  return { organization, number, client: server.client(organization) }
}

/** Records that the network accepted the messages in the organization's history. */
async function takeAll({ organizationId, containerId }: { organizationId: string; containerId: string }) {
  const taken = await rows(
    db,
    `update messages set container_id = :containerId, status = 'sent', sent_at = service_now(),
      gateway_message_id = network_client_id
      where organization_id = :organizationId and status = 'sending' returning id`,
    { organizationId, containerId },
  )
  return taken.length
}

const rollUpAll = async (at: typeof db) => {
  while ((await rollUpChats(at)) > 0);
}

describe('what the service sent', () => {
  it('is in the chats once, although many processes roll up and read while it is sent', async () => {
    const { organization, number, client } = await make()
    const other = await serveDatabase(db, server.databaseUrl, { worker: false })
    const phones = ['14045550001', '14045550002', '14045550003']
    for (let round = 0; round < 6; round++) {
      for (const recipient of phones) {
        await storeMessages(db, number.organizationId, {
          status: 'sending',
          recipient,
          count: 20,
          content: `${round} {n}`,
        })
      }
      await Promise.all([
        takeAll(number),
        rollUpAll(db),
        rollUpAll(other.db),
        client.chats.list(),
        other.client(organization).chats.list(),
      ])
    }
    await other.stop()
    const { chats } = await client.chats.list()
    expect(chats.map(({ phone }) => phone).sort()).toEqual(phones)
    for (const phone of phones) expect((await client.chats.thread({ phone, limit: 500 })).messages).toHaveLength(120)
    expect(await rows(db, 'select 1 from chat_changes')).toEqual([])
  })

  it('stands under the person that its recipient is known as, also by the hidden id', async () => {
    const { number, client } = await make()
    await storeMessages(db, number.organizationId, {
      status: 'sending',
      recipient: '14045550004',
      content: 'to the number',
    })
    await storeMessages(db, number.organizationId, {
      status: 'sending',
      recipient: '40004@lid',
      content: 'to the hidden id',
    })
    await handleGatewayEvents(server.services, [
      { kind: 'lid.mapping', ...number, at: server.services.clock.now(), lid: '40004@lid', digits: '14045550004' },
    ])
    await takeAll(number)
    expect((await client.chats.list()).chats).toMatchObject([{ phone: '14045550004', lid: '40004@lid' }])
    const { messages } = await client.chats.thread({ phone: '40004@lid' })
    expect(messages.map(({ text }) => text).sort()).toEqual(['to the hidden id', 'to the number'])
  })

  it('leaves the chats when it is deleted through the API', async () => {
    const { client } = await make()
    const phone = '12025550121'
    const first = await client.alert.sendLocation({ phone, latitude: 1, longitude: 2 })
    const second = await client.alert.sendPoll({ phone, question: 'Tea?', options: ['yes', 'no'] })
    expect((await client.chats.list()).chats).toMatchObject([{ lastMessage: '[poll] Tea?' }])
    await client.alert.delete({ messageId: second.messageId })
    expect((await client.chats.list()).chats).toMatchObject([{ lastMessage: '[location] 1,2' }])
    expect((await client.chats.thread({ phone })).messages).toMatchObject([{ id: first.messageId }])
    await client.alert.delete({ messageId: first.messageId })
    expect((await client.chats.list()).chats).toEqual([])
  })

  it('shows no campaign that still waits in the queue', async () => {
    const { client } = await make()
    await client.alert.send({ phone: '12025550121', message: 'in the queue' })
    expect((await client.chats.list()).chats).toEqual([])
  })
})

describe('a number that is gone', () => {
  it('takes its own chats with it, and no others', async () => {
    const { organization, number, client } = await make()
    const other = { ...number, containerId: await makeNumber(server, organization) }
    await handleGatewayEvents(server.services, [arrival(number), arrival(other), arrival(other)])
    await rows(db, 'delete from numbers where id = :containerId', { containerId: other.containerId })
    while ((await deleteOrphans(db)) > 0);
    const left = await rows(
      db,
      `select m.container_id as id from chat_messages m where organization_id = :organizationId
       union all select container_id from chats where organization_id = :organizationId`,
      { organizationId: number.organizationId },
    )
    expect(left).toEqual([{ id: number.containerId }, { id: number.containerId }])
    expect((await client.chats.list({ containerId: number.containerId })).chats).toHaveLength(1)
  })
})
