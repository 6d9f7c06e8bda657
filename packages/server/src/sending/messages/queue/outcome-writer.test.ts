import { expect, it } from 'vitest'
import { rows, transaction } from '#platform/db/db.ts'
import { applyReceipts } from '#sending/messages/receipts/receipt.ts'
import { eventually } from '#testing/eventually.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'
import type { ClaimedSend } from './attempt-send.ts'
import { claim } from './claim.ts'
import { enqueueTexts } from './enqueue.ts'
import type { MessageOutcome } from './outcome.ts'
import { spacingAfter, startOutcomeWriter } from './outcome-writer.ts'
import { noPace } from './pace.ts'

const api = await startTestServer({ worker: false })
const organization = await makeOrganization(api)
const client = api.client(organization)

/** Queues texts on a number of their own and claims them, as a dispatcher would. */
async function claimed(count: number) {
  const containerId = await makeNumber(api, organization)
  for (let n = 0; n < count; n += 1)
    await client.alert.send({ phone: '12025550100', message: `text ${n}`, containerId })
  const messages = await claim(api.services, noPace, 1000)
  expect(messages).toHaveLength(count)
  return messages
}

function sent(networkId: string, raw: unknown = null): MessageOutcome {
  return { is: 'sent', networkId, raw, at: api.services.clock.now(), acknowledged: true }
}

async function statusOf(id: string) {
  return (await client.messages.get({ id })).message
}

it('writes all outcomes but the one that the database refuses', async () => {
  const messages = await claimed(8)
  const writer = startOutcomeWriter(api.services, 0)
  messages.forEach((message, place) => {
    // What a driver keeps for itself may hold a character that jsonb cannot.
    const outcome = sent(message.networkClientId, place === 5 ? { note: 'a\u0000b' } : null)
    writer.add({ id: message.id, containerId: message.containerId, token: message.token, outcome })
  })
  await writer.drain(10_000)
  const statuses = await Promise.all(messages.map(async ({ id }) => (await statusOf(id)).status))
  expect(statuses.filter((status) => status === 'sent')).toHaveLength(7)
  expect(statuses[5]).toBe('sending')
})

it('writes several batches side by side, and all of them but the one that is refused', async () => {
  const count = 3500
  const containerId = await makeNumber(api, organization)
  const text = {
    organizationId: organization.organizationId,
    containerId,
    pinned: false,
    type: 'alert',
    recipient: '12025550100',
    text: 'a text',
    priority: 'normal',
    clientReference: null,
  } as const
  await transaction(api.db, (trx) => enqueueTexts(trx, api.services.clock, Array(count).fill(text)))
  const messages: ClaimedSend[] = []
  for (let turn = 0; turn < 10; turn += 1) messages.push(...(await claim(api.services, noPace, 5000)))
  expect(messages).toHaveLength(count)
  const writer = startOutcomeWriter(api.services, 0)
  messages.forEach((message, place) => {
    const outcome = sent(message.networkClientId, place === 1500 ? { note: 'a\u0000b' } : null)
    writer.add({ id: message.id, containerId, token: message.token, outcome })
  })
  await writer.drain(20_000)
  const written = await rows<{ status: string; count: number }>(
    api.db,
    'select status, count(*) from messages where container_id = :containerId group by 1 order by 1',
    { containerId },
  )
  expect(written).toEqual([
    { status: 'sending', count: 1 },
    { status: 'sent', count: count - 1 },
  ])
})

it('keeps the reason of a failure that the network reported before its response', async () => {
  const [message] = await claimed(1)
  if (!message) throw new Error('nothing was claimed')
  const { id, containerId, networkClientId: networkId, token } = message
  await rows(api.db, 'update messages set outcome_unknown_since = service_now() where id = :id', { id })
  const at = api.services.clock.now()
  await applyReceipts(api.services, [{ containerId, networkId, status: 'failed', at, error: 'the phone is gone' }])
  const writer = startOutcomeWriter(api.services, 0)
  writer.add({ id, containerId, token, outcome: sent(networkId) })
  await writer.drain(10_000)
  const seen = await eventually(
    () => statusOf(id),
    (one) => one.status !== 'sending',
  )
  expect(seen).toMatchObject({ status: 'failed', error: 'the phone is gone', errorCode: 'GATEWAY_ERROR' })
})

it.each([
  ['few', 1, 250, 50],
  ['few', 10, 250, 50],
  ['more', 30, 250, 150],
  ['a thousand numbers at their pace', 250, 250, 250],
  ['without pace', 1000, 5, 5],
])('keeps writes apart by how much they held: %s, %i', (_what, written, longestMs, spacingMs) => {
  expect(spacingAfter(written, longestMs)).toBe(spacingMs)
})
