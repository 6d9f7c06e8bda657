import { expect, it } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { openNetwork, person, sending, statusesOf } from './test/network.ts'

const { db } = await testDatabase()

it('sends and tells of it', async () => {
  const network = await openNetwork(db)
  network.listen()
  const session = await network.linked()
  const sent = await network.gateway.send(session, person('0100'), { kind: 'text', text: 'hi' }, sending())
  await network.until((events) => statusesOf(events, sent.ref.networkId).length === 2)
  expect(statusesOf(network.events, sent.ref.networkId)).toEqual(['delivered', 'read'])
})
