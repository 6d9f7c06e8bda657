import { setTimeout as delay } from 'node:timers/promises'
import { messageErrorCodes } from '@msgctl/contract'
import { describe, expect, it } from 'vitest'
import { rows, transaction } from '#platform/db/db.ts'
import { enqueueTexts } from '#sending/messages/queue/enqueue.ts'
import { makeNumber, makeNumberKey, makeOrganization, makeToken } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'
import { sweepNumbers } from './sweep.ts'

const server = await startTestServer({ worker: false })

const late = {
  pinned: false,
  type: 'alert',
  recipient: '12025550100',
  text: 'late',
  priority: 'normal',
  clientReference: null,
} as const

async function ground() {
  const organization = await makeOrganization(server)
  return {
    organization,
    client: server.client(organization),
    owner: server.client({ token: await makeToken(server, organization) }),
  }
}

describe('DELETE /session/:containerId', () => {
  it('fails queued messages with NUMBER_REMOVED, reports each one once, and keeps sent messages', async () => {
    const { organization, client, owner } = await ground()
    const containerId = await makeNumber(server, organization)
    const high = await client.alert.send({ phone: '12025550100', message: 'one', priority: 'high' })
    const low = await client.alert.send({ phone: '12025550100', message: 'two', priority: 'low' })
    const sent = await client.alert.send({ phone: '12025550100', message: 'three' })
    await rows(server.db, `update messages set status = 'sent' where id = :id`, { id: sent.messageId })

    expect(await owner.numbers.delete({ containerId })).toEqual({ success: true })

    const { messages } = await client.messages.list()
    const error = messageErrorCodes.NUMBER_REMOVED
    const failed = { status: 'failed', errorCode: 'NUMBER_REMOVED', error, containerId }
    expect(messages.find(({ id }) => id === high.messageId)).toMatchObject(failed)
    expect(messages.find(({ id }) => id === low.messageId)).toMatchObject(failed)
    expect(messages.find(({ id }) => id === sent.messageId)).toMatchObject({ status: 'sent' })
    const { events } = await client.events.list()
    expect(events.map(({ event }) => event)).toEqual(['message.failed', 'message.failed'])
    expect(events[0]?.data).toMatchObject({ errorCode: 'NUMBER_REMOVED', status: 'failed', containerId })
    expect(events[0]?.data).toMatchObject({ numberPhone: expect.stringMatching(/^\d+$/) })
  })

  it('fails a long queue in several transactions, and a removal that broke off is ended by the sweep', async () => {
    const { organization, client, owner } = await ground()
    const { organizationId } = organization
    const [containerId, broken] = [await makeNumber(server, organization), await makeNumber(server, organization)]
    const queue = (id: string, count: number) =>
      transaction(server.db, (trx) =>
        enqueueTexts(
          trx,
          server.services.clock,
          Array.from({ length: count }, () => ({ ...late, organizationId, containerId: id, pinned: true })),
        ),
      )
    await queue(containerId, 5001)
    await queue(broken, 2)
    await owner.numbers.delete({ containerId })
    const counted = () =>
      rows<{ code: string; count: number; transactions: number }>(
        server.db,
        `select error_code as code, count(*) as count, count(distinct xmin::text) as transactions
           from messages where organization_id = :organizationId group by 1 order by 1`,
        { organizationId },
      )
    expect(await counted()).toEqual([
      { code: 'NUMBER_REMOVED', count: 5001, transactions: 2 },
      { code: null, count: 2, transactions: 1 },
    ])
    // The lane goes first, and then the process is lost.
    await rows(server.db, 'delete from lanes where container_id = :broken', { broken })
    await expect(client.alert.send({ phone: '12025550100', message: 'no', containerId: broken })).rejects.toMatchObject(
      {
        code: 'NO_SESSION_CONFIGURED',
      },
    )
    await sweepNumbers(server.services)
    expect((await counted())[0]).toMatchObject({ code: 'NUMBER_REMOVED', count: 5003 })
    await expect(client.numbers.status({ containerId: broken })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('responds with IN_USE while a campaign sends through the number', async () => {
    const { organization, client, owner } = await ground()
    const containerId = await makeNumber(server, organization)
    const recipients = [{ phone: '12025550100' }]
    const { id } = (await client.campaigns.create({ name: 'Busy', template: 'hi', recipients })).campaign
    await client.campaigns.send({ id })
    await expect(owner.numbers.delete({ containerId })).rejects.toMatchObject({
      code: 'IN_USE',
      details: { usedBy: 'campaign' },
    })
    await client.campaigns.pause({ id })
    expect(await owner.numbers.delete({ containerId })).toEqual({ success: true })
    expect(await client.campaigns.status({ id })).toMatchObject({ status: 'paused' })
  })

  it('also fails what was being queued at the same moment', async () => {
    const { organization, client, owner } = await ground()
    const containerId = await makeNumber(server, organization)
    const text = { ...late, organizationId: organization.organizationId, containerId }
    let removal: Promise<unknown> | undefined
    const [messageId] = await transaction(server.db, async (trx) => {
      const ids = await enqueueTexts(trx, server.services.clock, [text])
      removal = owner.numbers.delete({ containerId })
      await waitsForLock()
      return ids
    })
    await removal
    const { message } = await client.messages.get({ id: messageId ?? '' })
    expect(message).toMatchObject({ status: 'failed', errorCode: 'NUMBER_REMOVED' })
  })

  it('ends the number’s key, and nothing can be queued on it any more', async () => {
    const { organization, client, owner } = await ground()
    const containerId = await makeNumber(server, organization)
    const key = await makeNumberKey(server, organization, containerId)
    await owner.numbers.delete({ containerId })
    await expect(server.client({ apiKey: key }).numbers.status()).rejects.toMatchObject({
      code: 'AUTH_ERROR',
      details: { reason: 'invalid_api_key' },
    })
    const send = { phone: '12025550100', message: 'hello' }
    await expect(client.alert.send({ ...send, containerId })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(client.alert.send(send)).rejects.toMatchObject({ code: 'NO_SESSION_CONFIGURED' })
    await expect(client.numbers.status({ containerId })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('makes the oldest one left the default when the default goes, and the network forget the number', async () => {
    const { organization, owner } = await ground()
    const [first, second, third] = [
      await makeNumber(server, organization),
      await makeNumber(server, organization, { linked: false }),
      await makeNumber(server, organization, { linked: false }),
    ]
    await owner.numbers.delete({ containerId: first })
    const { sessions } = await owner.numbers.list()
    expect(sessions.map(({ id, isDefault }) => [id, isDefault])).toEqual([
      [second, true],
      [third, false],
    ])
    const { organizationId } = organization
    const state = await server.services.gateway.state({ containerId: first, organizationId })
    expect(state).toMatchObject({ status: 'STOPPED', me: null })
  })

  it('leaves a default when two of three are removed at once', async () => {
    const { organization, owner } = await ground()
    const ids: string[] = []
    for (let i = 0; i < 3; i++) ids.push(await makeNumber(server, organization, { linked: false }))
    await Promise.all(ids.slice(0, 2).map((containerId) => owner.numbers.delete({ containerId })))
    const { sessions } = await owner.numbers.list()
    expect(sessions.map(({ id, isDefault }) => [id, isDefault])).toEqual([[ids[2], true]])
  })

  it('responds with NOT_FOUND the second time', async () => {
    const { organization, owner } = await ground()
    const containerId = await makeNumber(server, organization, { linked: false })
    await owner.numbers.delete({ containerId })
    await expect(owner.numbers.delete({ containerId })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

/** Resolves once some connection waits for a lock that another one holds. */
async function waitsForLock(): Promise<void> {
  for (;;) {
    const [waiting] = await rows<{ count: number }>(
      server.db,
      `select count(*) as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    if (waiting && waiting.count > 0) return
    await delay(5)
  }
}
