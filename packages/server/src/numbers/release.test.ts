import type { GatewaySession } from '@msgctl/network/gateway'
import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { eventually } from '#testing/eventually.ts'
import { makeGroup } from '#testing/features/send-group.ts'
import { makeNumber, makeNumberKey, makeOrganization } from '#testing/make.ts'
import { sim, transcriptOf } from '#testing/sim.ts'
import { serveDatabase, startTestServer } from '#testing/start-server.ts'
import { writeRestriction } from './connection/restriction-store.ts'
import { applyState } from './connection/state.ts'
import { pauseNewChats } from './guard/refusal-store.ts'
import { blockNewChats } from './records/store.ts'
import { sweepNumbers } from './sweep.ts'

// Without a worker nothing leaves, so that messages are in the queue for certain while the phone changes.
const server = await startTestServer({ worker: false })
const { gateway } = server.services

/** Ends the link of a number, and links this phone to it. */
async function relink(session: GatewaySession, phone: string | null | undefined): Promise<void> {
  for (const call of ['unlink', 'scan']) {
    await sim(server, `POST numbers/${session.containerId}/${call}`, call === 'scan' ? { phone } : {})
    await applyState(server.services, { ...session, state: await gateway.state(session), source: 'network' })
  }
}

/** A number with a message in its queue, whose phone then ended the link, and which `phone` scanned again. */
async function relinked(phone?: string) {
  const organization = await makeOrganization(server)
  const containerId = await makeNumber(server, organization)
  const client = server.client(organization)
  const before = (await client.numbers.list()).sessions[0]?.phoneNumber
  const { messageId } = await client.alert.send({ phone: '12025550100', message: 'for the phone before' })
  await relink({ organizationId: organization.organizationId, containerId }, phone ?? before)
  return { organization, client, containerId, messageId }
}

async function isOpen(containerId: string): Promise<boolean> {
  const [lane] = await rows<{ open: boolean }>(server.db, 'select open from lanes where container_id = :containerId', {
    containerId,
  })
  return lane?.open ?? false
}

describe('a number that was linked to another phone', () => {
  it('works, holds its queue, and refuses new texts', async () => {
    const { client, containerId, messageId } = await relinked('12025557777')
    expect(await client.numbers.status()).toMatchObject({
      status: 'WORKING',
      me: { id: '12025557777@c.us' },
      manager: { queuesPaused: true },
      action: { type: 'release', message: expect.stringContaining('/release') },
    })
    expect((await client.numbers.list()).sessions).toMatchObject([{ connected: true, queueHeld: true }])
    expect(await isOpen(containerId)).toBe(false)
    const refused = { status: 400, code: 'NO_SESSION_CONFIGURED', message: expect.stringContaining('/release') }
    const text = { message: 'later' }
    await expect(client.alert.send({ phone: '12025550100', ...text })).rejects.toMatchObject(refused)
    await expect(client.alert.batch({ recipients: ['12025550100'], ...text })).rejects.toMatchObject(refused)
    const { message, timeline } = await client.messages.get({ id: messageId })
    expect(message.status).toBe('queued')
    expect(timeline.map(({ step }) => step)).toEqual(['queued', 'held'])
  })

  it('reports with session.recovered that its queue is held', async () => {
    const { client } = await relinked('12025557776')
    const { events } = await client.events.list({ types: 'session.recovered' })
    expect(events).toMatchObject([{ data: { status: 'WORKING', queueHeld: true } }])
  })

  it('still sends directly', async () => {
    const { client } = await relinked('12025557775')
    const poll = { phone: '12025550100', question: 'Tea?', options: ['yes', 'no'] }
    expect((await client.alert.sendPoll(poll)).gatewayMessageId).toEqual(expect.any(String))
  })

  it('holds nothing when it is the same phone again', async () => {
    const { client, containerId } = await relinked()
    expect(await isOpen(containerId)).toBe(true)
    expect((await client.numbers.status()).manager.queuesPaused).toBe(false)
  })
})

describe('a hold', () => {
  it('ends when the last held message is gone', async () => {
    const { client, containerId, messageId } = await relinked('12025557773')
    await sweepNumbers(server.services)
    expect(await isOpen(containerId)).toBe(false)
    await client.alert.cancel({ messageId })
    await sweepNumbers(server.services)
    expect(await isOpen(containerId)).toBe(true)
    expect(await client.numbers.status()).toMatchObject({ manager: { queuesPaused: false }, action: { type: 'none' } })
    await client.alert.send({ phone: '12025550100', message: 'later' })
  })

  it.each([
    ['loses the limits of the network with another phone', '12025558888', null],
    ['keeps them with the same phone', undefined, expect.any(Date)],
  ])('%s', async (_what, phone, expected) => {
    const organization = await makeOrganization(server)
    const containerId = await makeNumber(server, organization)
    const number = { organizationId: organization.organizationId, containerId }
    const { sessions } = await server.client(organization).numbers.list()
    const until = new Date(server.services.clock.now().getTime() + 3_600_000)
    for (const limit of [pauseNewChats, blockNewChats, writeRestriction]) await limit(server.db, number, until)
    await relink(number, phone ?? sessions[0]?.phoneNumber)
    const limits = await rows(
      server.db,
      `select restricted_until as restricted, blocked_until as blocked, paused_until as paused
         from numbers n join number_guards g on g.container_id = n.id where n.id = :containerId`,
      { containerId },
    )
    expect(limits).toEqual([{ restricted: expected, blocked: expected, paused: expected }])
  })

  it('ends when yet another phone is linked and nothing is left to hold', async () => {
    const { client, organization, containerId, messageId } = await relinked('12025557772')
    await client.alert.cancel({ messageId })
    await relink({ organizationId: organization.organizationId, containerId }, '12025557771')
    expect(await isOpen(containerId)).toBe(true)
  })
})

describe('POST /session/:containerId/release', () => {
  it('lets what was held go out when asked to send', async () => {
    const { client, containerId, messageId } = await relinked('12025557778')
    expect(await client.numbers.release({ containerId, action: 'send' })).toEqual({ success: true, messages: 1 })
    expect(await client.numbers.status()).toMatchObject({ manager: { queuesPaused: false }, action: { type: 'none' } })
    const { messageId: later } = await client.alert.send({ phone: '12025550100', message: 'later' })

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

  it('fails the held message with DISCARDED, reports it once, and opens the queue for the next one', async () => {
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

  it('lets a number’s key release its own number and no other', async () => {
    const { organization, client, containerId } = await relinked('12025557781')
    const own = server.client({ apiKey: await makeNumberKey(server, organization, containerId) })
    const other = await makeNumber(server, organization)
    const otherKey = server.client({ apiKey: await makeNumberKey(server, organization, other) })
    const release = { containerId, action: 'discard' } as const
    await expect(otherKey.numbers.release(release)).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' })
    expect(await own.numbers.release(release)).toEqual({ success: true, messages: 1 })
    expect((await client.numbers.status({ containerId })).action.type).toBe('none')
  })

  it('discards only what was queued before the phone was linked', async () => {
    const { client, containerId, messageId, organization } = await relinked('12025557782')
    const { organizationId } = organization
    await rows(
      server.db,
      `insert into messages (id, organization_id, container_id, type, kind, recipient, content, priority, status,
                             network_client_id, due_at, queue_at, created_at)
       select :id, :organizationId, container_id, type, kind, recipient, content, priority, status, 'LATER', due_at,
              queue_at, service_now() + interval '1 second' from messages where id = :messageId`,
      { id: crypto.randomUUID(), organizationId, messageId },
    )
    expect(await client.numbers.release({ containerId, action: 'discard' })).toEqual({ success: true, messages: 1 })
    const { messages } = await client.messages.list()
    expect(messages.map(({ status }) => status).toSorted()).toEqual(['failed', 'queued'])
  })

  it('also moves a long queue of a number that is down, all of it', async () => {
    const { ids, owner, goesDown, send } = await makeGroup(server, { numbers: 2 })
    const [held, down] = ids
    await rows(server.db, 'update numbers set queue_held_at = service_now() where id = :held', { held })
    await rows(server.db, 'update lanes set open = false where container_id = :held', { held })
    const first = await send('first', { containerId: down })
    await rows(
      server.db,
      `insert into messages (id, organization_id, container_id, type, kind, recipient, content, priority, status,
                             network_client_id, due_at, queue_at, created_at)
       select gen_random_uuid(), organization_id, container_id, type, kind, recipient, content, priority, status,
              'COPY' || n, due_at, queue_at, created_at
         from messages cross join generate_series(1, 5001) n where id = :first`,
      { first },
    )
    await goesDown(down)
    await owner.numbers.release({ containerId: held, action: 'send' })
    const counted = await rows<{ containerId: string; count: number }>(
      server.db,
      `select container_id, count(*) from messages
        where container_id = any(:ids::uuid[]) and status = 'queued' and not pinned group by 1`,
      { ids },
    )
    expect(counted).toEqual([{ containerId: held, count: 5001 }])
  })

  it('responds with 0 messages for a number that holds none, and keeps its queue', async () => {
    const { client, containerId, messageId } = await relinked()
    expect(await client.numbers.release({ containerId, action: 'discard' })).toEqual({ success: true, messages: 0 })
    expect((await client.messages.get({ id: messageId })).message.status).toBe('queued')
  })

  it('responds with NOT_FOUND for a number that is not the organization’s', async () => {
    const [own, other] = [await relinked(), await relinked()]
    const release = own.client.numbers.release({ containerId: other.containerId, action: 'send' })
    await expect(release).rejects.toMatchObject({ code: 'NOT_FOUND', message: 'There is no such number.' })
  })
})
