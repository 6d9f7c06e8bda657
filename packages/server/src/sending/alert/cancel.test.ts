import { describe, expect, it } from 'vitest'
import { rows, transaction } from '#platform/db/db.ts'
import { eventually } from '#testing/eventually.ts'
import { makeNumber, makeNumberKey, makeOrganization } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer()
const organization = await makeOrganization(server)
const second = await makeNumber(server, organization)
const secondClient = server.client({ apiKey: await makeNumberKey(server, organization, second) })
const client = server.client(organization)
const phone = '12025550121'
const unknownId = '0190c1d2-7a3b-7c4d-8e5f-60718293a4b5'

/** A message that waits in the lane of a number whose queue is held. */
async function waiting(): Promise<string> {
  const number = await makeNumber(server, organization)
  await rows(server.db, 'update lanes set open = false where container_id = :number', { number })
  const { messageId } = await client.alert.send({ phone, message: 'waits', containerId: number })
  await rows(server.db, 'update numbers set queue_held_at = service_now() where id = :number', { number })
  return messageId
}

describe('POST /alert/messages/:messageId/cancel', () => {
  it('cancels a queued message: it fails as CANCELLED, is reported once, and never leaves', async () => {
    const messageId = await waiting()
    expect(await client.alert.cancel({ messageId })).toEqual({ success: true, messageId, status: 'failed' })
    const { message } = await client.messages.get({ id: messageId })
    expect(message).toMatchObject({ status: 'failed', errorCode: 'CANCELLED', attempts: 0, gatewayMessageId: null })
    const { events } = await client.events.list({ limit: 500 })
    const own = events.filter(({ data }) => 'messageId' in data && data.messageId === messageId)
    expect(own).toMatchObject([{ event: 'message.failed', data: { errorCode: 'CANCELLED', gatewayMessageId: null } }])
    await expect(client.alert.cancel({ messageId })).rejects.toMatchObject({
      code: 'FORBIDDEN_ACTION',
      details: { reason: 'not_queued', status: 'failed' },
    })
  })

  it('refuses once it is on its way', async () => {
    const { messageId: sent } = await client.alert.sendLocation({ phone, latitude: 1, longitude: 2 })
    await expect(client.alert.cancel({ messageId: sent })).rejects.toMatchObject({
      code: 'FORBIDDEN_ACTION',
      status: 400,
      details: { reason: 'not_queued' },
    })
  })

  it('refuses a message that waits for another try because it may have gone out', async () => {
    const messageId = await waiting()
    await rows(server.db, 'update messages set outcome_unknown_since = service_now() where id = :messageId', {
      messageId,
    })
    await expect(client.alert.cancel({ messageId })).rejects.toMatchObject({
      code: 'FORBIDDEN_ACTION',
      details: { reason: 'not_queued', status: 'queued' },
    })
  })

  it('finds only what is the caller’s', async () => {
    const messageId = await waiting()
    await expect(secondClient.alert.cancel({ messageId })).rejects.toMatchObject({ code: 'MESSAGE_WRONG_NUMBER' })
    await expect(client.alert.cancel({ messageId: unknownId })).rejects.toMatchObject({ code: 'MESSAGE_NOT_FOUND' })
    const other = server.client(await makeOrganization(server))
    await expect(other.alert.cancel({ messageId })).rejects.toMatchObject({ code: 'MESSAGE_NOT_FOUND' })
  })

  it('and the worker that wants the message: the first one has it, never both', async () => {
    const messageId = await waiting()
    let cancelling: Promise<unknown> = Promise.resolve()
    await transaction(server.db, async (trx) => {
      await rows(trx, `update messages set status = 'sending', attempts = 1 where id = :messageId`, { messageId })
      cancelling = client.alert.cancel({ messageId }).catch((error) => error.code)
      await eventually(
        () =>
          rows<{ waits: number }>(
            server.db,
            `select count(*) as waits from pg_stat_activity where wait_event_type = 'Lock' and query like '%CANCELLED%'
                and datname = current_database()`,
          ),
        ([found]) => found?.waits === 1,
      )
    })
    expect(await cancelling).toBe('FORBIDDEN_ACTION')
  })
})
