import { describe, expect, it } from 'vitest'
import { rows } from '../db/db.ts'
import { eventually } from '../testing/eventually.ts'
import { makeNumber, makeOrganization } from '../testing/make.ts'
import { sim, transcriptOf } from '../testing/sim.ts'
import { serveDatabase, startTestServer } from '../testing/start-server.ts'
import { applyState } from './connection/state.ts'

// Without a worker nothing leaves, so that messages are in the queue for certain while the phone changes.
const server = await startTestServer({ worker: false })
const { gateway } = server.services

/** A number with a message in its queue, whose phone then ended the link, and which `phone` scanned again. */
async function relinked(phone?: string) {
  const organization = await makeOrganization(server)
  const containerId = await makeNumber(server, organization)
  const client = server.client(organization)
  const before = (await client.numbers.list()).sessions[0]?.phoneNumber
  const { messageId } = await client.alert.send({ phone: '12025550100', message: 'for the phone before' })
  const session = { organizationId: organization.organizationId, containerId }
  for (const call of ['unlink', 'scan']) {
    await sim(server, `POST numbers/${containerId}/${call}`, call === 'scan' ? { phone: phone ?? before } : {})
    await applyState(server.services, { ...session, state: await gateway.state(session), source: 'network' })
  }
  return { client, containerId, messageId }
}

async function isOpen(containerId: string): Promise<boolean> {
  const [lane] = await rows<{ open: boolean }>(server.db, 'select open from lanes where container_id = :containerId', {
    containerId,
  })
  return lane?.open ?? false
}

describe('a number that was linked to another phone', () => {
  it('works, and holds its queue, also what is sent from now on', async () => {
    const { client, containerId, messageId } = await relinked('12025557777')
    expect(await client.numbers.status()).toMatchObject({
      status: 'WORKING',
      me: { id: '12025557777@c.us' },
      manager: { queuesPaused: true },
    })
    expect(await isOpen(containerId)).toBe(false)
    await client.alert.send({ phone: '12025550100', message: 'later' })
    expect((await client.messages.get({ id: messageId })).message.status).toBe('queued')
  })

  it('holds nothing when it is the same phone again', async () => {
    const { client, containerId } = await relinked()
    expect(await isOpen(containerId)).toBe(true)
    expect((await client.numbers.status()).manager.queuesPaused).toBe(false)
  })
})

describe('POST /session/:containerId/release', () => {
  it('lets what was held go out when asked to send', async () => {
    const { client, containerId, messageId } = await relinked('12025557778')
    const { messageId: later } = await client.alert.send({ phone: '12025550100', message: 'later' })
    expect(await client.numbers.release({ containerId, action: 'send' })).toEqual({ success: true, messages: 2 })
    expect((await client.numbers.status()).manager.queuesPaused).toBe(false)

    const worker = await serveDatabase(server.db, server.databaseUrl)
    for (const id of [messageId, later]) {
      await eventually(
        () => client.messages.get({ id }),
        ({ message }) => message.status === 'read',
      )
    }
    await worker.stop()
    expect(await transcriptOf(server, containerId)).toHaveLength(2)
  })

  it('fails what was held with DISCARDED, tells it once, and opens the queue for the next one', async () => {
    const { client, containerId, messageId } = await relinked('12025557779')
    expect(await client.numbers.release({ containerId, action: 'discard' })).toEqual({ success: true, messages: 1 })
    expect((await client.messages.get({ id: messageId })).message).toMatchObject({
      status: 'failed',
      errorCode: 'DISCARDED',
    })
    const { events } = await client.events.list()
    const failed = events.filter(({ event }) => event === 'message.failed')
    expect(failed).toMatchObject([{ data: { messageId, errorCode: 'DISCARDED' } }])
    expect(await isOpen(containerId)).toBe(true)
  })

  it('does it once, however often the same Idempotency-Key comes', async () => {
    const { client, containerId } = await relinked('12025557780')
    const options = { idempotencyKey: 'release-1' }
    const first = await client.numbers.release({ containerId, action: 'discard' }, options)
    expect(await client.numbers.release({ containerId, action: 'discard' }, options)).toEqual(first)
  })

  it('answers 0 for a number that holds nothing, and keeps its queue', async () => {
    const { client, containerId, messageId } = await relinked()
    expect(await client.numbers.release({ containerId, action: 'discard' })).toEqual({ success: true, messages: 0 })
    expect((await client.messages.get({ id: messageId })).message.status).toBe('queued')
  })

  it('answers NOT_FOUND for a number that is not the organization’s', async () => {
    const [own, other] = [await relinked(), await relinked()]
    const release = own.client.numbers.release({ containerId: other.containerId, action: 'send' })
    await expect(release).rejects.toMatchObject({ code: 'NOT_FOUND', message: 'There is no such number.' })
  })
})
