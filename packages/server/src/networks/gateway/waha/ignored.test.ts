import type { GatewaySession } from '@msgctl/network/session'
import { expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { testDatabase } from '#testing/database.ts'
import { openWahaNetwork, type WahaNetwork } from '#testing/waha/network.ts'

const { db } = await testDatabase()
const chats = ['12025550100@c.us', '120363000000000001@g.us', '1203@newsletter', '1203@broadcast', 'status@broadcast']

/** Lets a person write in each kind of chat. Returns the chats whose messages the service received. */
async function received({ fake }: WahaNetwork, { containerId }: GatewaySession): Promise<string[]> {
  for (const from of chats) {
    const message = { id: `false_${from}_3A`, from, fromMe: false, body: 'x', timestamp: 1, hasMedia: false }
    await fake.emit(containerId, 'message', { ...message, ack: 1, ackName: 'SERVER', participant: '12025550100@c.us' })
  }
  const stored = await rows<{ body: Buffer }>(
    db,
    `select body from gateway_inbox where container_id = :containerId and event_id like 'evt_%' order by id`,
    { containerId },
  )
  const bodies = stored.map(({ body }) => JSON.parse(body.toString('utf8')))
  return bodies.flatMap(({ event, payload }) => (event === 'message' ? [payload.from] : []))
}

it('receives what people write, also to broadcast lists and groups, and nothing of stories and channels', async () => {
  const network = await openWahaNetwork(db)
  const session = network.newNumber()
  await network.driver.ensure(session)
  expect(await received(network, session)).toEqual(['12025550100@c.us', '120363000000000001@g.us', '1203@broadcast'])
})

it('receives nothing of groups from a server without them, and changes sessions that it has', async () => {
  const network = await openWahaNetwork(db)
  const session = network.newNumber()
  await network.driver.ensure(session)
  await rows(db, 'update waha_hosts set groups = false where id = :hostId', { hostId: network.hostId })
  // Hosts are read again after five seconds, by a driver of another process at once.
  const other = network.reopen()
  await other.ensure(session)
  expect(await received(network, session)).toEqual(['12025550100@c.us', '1203@broadcast'])
  const before = network.fake.calls.length
  await other.ensure(session)
  expect(network.fake.calls.slice(before)).toEqual([`GET /api/sessions/${session.containerId}`])
  await other.close()
})
