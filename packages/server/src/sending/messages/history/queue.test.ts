import { expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ worker: false })

async function makeSender() {
  const organization = await makeOrganization(server)
  const containerId = await makeNumber(server, organization)
  const client = server.client(organization)
  const send = async (priority: 'high' | 'normal', last: number) =>
    (await client.alert.send({ phone: `120255501${last}`, message: 'hello', priority })).messageId
  const queueOf = async (id: string) => (await client.messages.get({ id })).queue
  return { containerId, client, send, queueOf }
}

it('says how many messages leave before a queued one, by priority and order', async () => {
  const { client, send, queueOf } = await makeSender()
  const first = await send('normal', 21)
  const second = await send('normal', 22)
  const high = await send('high', 23)
  const draft = { name: 'News', template: 'hi', recipients: [{ phone: '12025550130' }, { phone: '12025550131' }] }
  const { campaign } = await client.campaigns.create(draft)
  await client.campaigns.send({ id: campaign.id })
  const bulk = (await client.messages.list({ type: 'bulk' })).messages.map(({ id }) => id)

  expect(await queueOf(high)).toMatchObject({ ahead: 0, numberStatus: 'WORKING', isHeld: false })
  expect([(await queueOf(first))?.ahead, (await queueOf(second))?.ahead]).toEqual([1, 2])
  expect((await Promise.all(bulk.map(queueOf))).map((queue) => queue?.ahead).sort()).toEqual([3, 4])
  expect((await queueOf(first))?.nextAttemptAt).toEqual(expect.any(String))
})

it('names the state of a number that cannot send, without a time', async () => {
  const { containerId, client, send, queueOf } = await makeSender()
  const id = await send('normal', 21)
  await client.numbers.stop({ containerId })
  expect(await queueOf(id)).toEqual({ numberStatus: 'STOPPED', isHeld: false, ahead: 0, nextAttemptAt: null })
  await rows(
    server.db,
    `update numbers set status = 'WORKING', queue_held_at = service_now() where id = :containerId`,
    { containerId },
  )
  expect(await queueOf(id)).toMatchObject({ numberStatus: 'WORKING', isHeld: true, nextAttemptAt: null })
})

it('is absent once the message is not queued any more', async () => {
  const { client, send, queueOf } = await makeSender()
  const messageId = await send('normal', 21)
  await client.alert.cancel({ messageId })
  expect(await queueOf(messageId)).toBeUndefined()
})
