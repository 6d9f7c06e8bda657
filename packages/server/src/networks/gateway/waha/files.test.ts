import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { GatewaySession, MessageRef } from '@msgctl/network/session'
import { expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { testDatabase } from '#testing/database.ts'
import { eventually } from '#testing/eventually.ts'
import { openWahaNetwork, type WahaNetwork } from '#testing/waha/network.ts'

const { db } = await testDatabase()
/** Everybody with these last four digits replies with a photo. */
const chat = { kind: 'phone', digits: '12025550136' } as const
const lifetimeSeconds = 180

/** A number that received a photo, over a server that deletes files after three minutes. */
async function withPhoto(): Promise<{ network: WahaNetwork; session: GatewaySession; photo: MessageRef }> {
  const network = await openWahaNetwork(db, { filesLifetime: null })
  const { driver } = network
  const session = network.newNumber()
  await driver.start(session)
  await eventually(
    () => driver.state(session),
    (state) => state.status === 'SCAN_QR_CODE',
  )
  await network.link(session)
  const photos: MessageRef[] = []
  const stop = driver.subscribe(async (events) => {
    for (const event of events) {
      if (event.kind !== 'message.in' || event.containerId !== session.containerId) continue
      photos.push({ networkId: event.message.networkId, chat, raw: event.message.raw })
    }
  })
  const options = { clientId: crypto.randomUUID(), timeoutMs: 10_000 }
  await driver.send(session, chat, { kind: 'text', text: 'a photo, please' }, options)
  await eventually(
    async () => photos,
    (all) => all.length === 1,
  )
  await stop()
  const [photo] = photos
  if (!photo) throw new Error('there is no photo')
  return { network, session, photo }
}

it('fetches a file from the server while it has it, and else lets the server download it again', async () => {
  const { network, session, photo } = await withPhoto()
  const reads = () => network.fake.calls.filter((call) => /^GET .*\/messages\/false_/.test(call)).length
  const read = async () => buffer((await network.driver.fetchMedia(session, photo))?.bytes ?? Readable.from([]))
  const first = await read()
  expect([first.length > 0, reads()]).toEqual([true, 0])
  await network.sim.clock.advance(lifetimeSeconds)
  expect([(await read()).equals(first), reads()]).toEqual([true, 1])
  expect([(await read()).equals(first), reads()]).toEqual([true, 1])
})

it('has no file that the network itself no longer keeps', async () => {
  const { network, session, photo } = await withPhoto()
  await network.sim.clock.advance(lifetimeSeconds)
  await rows(db, `update sim_messages set content = content - 'media' where network_id = :networkId`, {
    networkId: photo.networkId,
  })
  expect(await network.driver.fetchMedia(session, photo)).toBeNull()
  await rows(db, 'delete from sim_messages where network_id = :networkId', { networkId: photo.networkId })
  expect(await network.driver.fetchMedia(session, photo)).toBeNull()
})

it('does not say that a file is gone while its number is not connected', async () => {
  const { network, session, photo } = await withPhoto()
  await network.sim.clock.advance(lifetimeSeconds)
  await network.driver.stop(session)
  await expect(network.driver.fetchMedia(session, photo)).rejects.toMatchObject({ kind: 'session' })
})
