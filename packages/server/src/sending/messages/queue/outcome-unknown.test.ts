import type { ReceiptStatus } from '@msgctl/network/gateway'
import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { maintainCampaigns } from '#sending/campaigns/maintain.ts'
import { applyReceipts } from '#sending/messages/receipts/receipt.ts'
import { eventually } from '#testing/eventually.ts'
import { people } from '#testing/features/campaign-people.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'
import { claim } from './claim.ts'
import type { MessageOutcome } from './outcome.ts'
import { startOutcomeWriter } from './outcome-writer.ts'
import { noPace } from './pace.ts'
import { reapMessages } from './sweep.ts'

// Without a worker, claims, timeouts and receipts happen exactly when a test makes them happen.
const server = await startTestServer({ worker: false })
const { db, services } = server
await services.clock.freeze()

type Held = Awaited<ReturnType<typeof claim>>[number]

/** An organization with a number of its own. */
async function ground() {
  const organization = await makeOrganization(server)
  await makeNumber(server, organization)
  const client = server.client(organization)
  const message = async (id: string) => (await client.messages.get({ id })).message
  const events = async () => (await client.events.list({ limit: 500 })).events.map(({ event }) => event)
  const campaign = async (count: number) => {
    const created = await client.campaigns.create({ name: 'Spring', template: 'hi', recipients: people(count) })
    await client.campaigns.send({ id: created.campaign.id })
    return created.campaign.id
  }
  return { client, message, events, campaign }
}

/** Claims due messages. The first poll removes the lanes that receipts emptied, the second claims. */
async function take(count: number): Promise<Held[]> {
  const poll = () => claim(services, noPace, 10_000)
  const held = [...(await poll()), ...(await poll())]
  expect(held).toHaveLength(count)
  return held
}

async function settle(held: readonly Held[], outcome: (one: Held) => MessageOutcome): Promise<void> {
  const writer = startOutcomeWriter(services, 0)
  for (const one of held) writer.add({ ...one, outcome: outcome(one) })
  await writer.drain(10_000)
}

/** The send timed out: it may have gone out, and is due again in ten seconds. */
function timedOut(): MessageOutcome {
  const now = services.clock.now()
  const dueAt = new Date(now.getTime() + 10_000)
  const attempt = { at: now, error: 'The network did not respond in time.' }
  return { is: 'retry', attempt, dueAt, unknownSince: now, pauseLane: false, keepsPlace: false }
}

/** What the network says of these messages, by the ids that were chosen for them. */
function reportReceipts(held: readonly Held[], ...statuses: ReceiptStatus[]): Promise<void> {
  const at = services.clock.now()
  return applyReceipts(
    services,
    held.flatMap(({ containerId, networkClientId: networkId }) =>
      statuses.map((status) => ({ containerId, networkId, status, at, error: null })),
    ),
  )
}

/** A text whose first try timed out and that waits in the queue for the next one. */
async function sendWithUnknownOutcome() {
  const made = await ground()
  const { messageId } = await made.client.alert.send({ phone: '12025550121', message: 'hello' })
  const held = await take(1)
  await settle(held, timedOut)
  expect(await made.message(messageId)).toMatchObject({ status: 'queued', attempts: 1 })
  return { ...made, id: messageId, held }
}

const lockWaits = `select 1 as waits from pg_stat_activity where wait_event_type = 'Lock'
  and datname = current_database()`

describe('a message in the queue whose first try timed out', () => {
  it('is settled by its receipts, reported once each, and never sent again', async () => {
    const { id, held, message, events, client } = await sendWithUnknownOutcome()
    await reportReceipts(held, 'delivered')
    expect(await message(id)).toMatchObject({
      status: 'delivered',
      gatewayMessageId: held[0]?.networkClientId,
      sentAt: services.clock.now().toISOString(),
      deliveredAt: services.clock.now().toISOString(),
    })
    await reportReceipts(held, 'delivered', 'read')
    await server.advance(11)
    await take(0)
    await server.advance(900)
    await reapMessages(services)
    expect((await message(id)).status).toBe('read')
    expect(await events()).toEqual(['message.delivered', 'message.read'])
    expect((await client.chats.thread({ phone: '12025550121' })).messages).toMatchObject([
      { direction: 'out', status: 'read' },
    ])
    expect(
      await rows(db, 'select 1 as one from messages where id = :id and outcome_unknown_since is not null', { id }),
    ).toEqual([])
  })

  it.each([
    { status: 'sent', events: ['message.sent'] },
    { status: 'failed', events: ['message.failed'] },
  ] as const)('is $status when the network says so', async ({ status, events: reported }) => {
    const { id, held, message, events, client } = await sendWithUnknownOutcome()
    await reportReceipts(held, status, status)
    await server.advance(11)
    await take(0)
    expect((await message(id)).status).toBe(status)
    expect(await events()).toEqual(reported)
    const { timeline } = await client.messages.get({ id })
    expect(timeline.slice(0, 2)).toMatchObject([
      { step: 'queued' },
      { step: 'attempt', detail: '1: The network did not respond in time. Next in 10 s.' },
    ])
  })

  it('is settled too by what came while its first try was still on its way', async () => {
    const { client, message, events } = await ground()
    const { messageId: id } = await client.alert.send({ phone: '12025550121', message: 'hello' })
    const held = await take(1)
    await reportReceipts(held, 'delivered')
    await settle(held, timedOut)
    expect((await message(id)).status).toBe('delivered')
    expect(await events()).toEqual(['message.delivered'])
  })

  it('is settled by what came before its worker died', async () => {
    const { client, message } = await ground()
    const { messageId: id } = await client.alert.send({ phone: '12025550121', message: 'hello' })
    await reportReceipts(await take(1), 'read')
    await server.advance(61)
    await reapMessages(services)
    expect((await message(id)).status).toBe('read')
    await take(0)
  })

  it('keeps what its receipts said while the next try is on its way, whatever becomes of that', async () => {
    const { id, held, message, events } = await sendWithUnknownOutcome()
    await server.advance(11)
    const again = await take(1)
    await reportReceipts(held, 'delivered')
    await settle(again, timedOut)
    expect((await message(id)).status).toBe('delivered')
    await settle(again, ({ networkClientId: networkId }) => {
      return { is: 'sent', networkId, raw: null, at: services.clock.now(), acknowledged: true }
    })
    expect((await message(id)).status).toBe('delivered')
    expect(await events()).toEqual(['message.delivered'])
  })

  it('is settled although a worker claims it for its next attempt at the same moment', async () => {
    const { id, held, message } = await sendWithUnknownOutcome()
    const claiming = await db.transaction()
    await rows(claiming, `update messages set status = 'sending', lease_token = id where id = :id`, { id })
    const heard = reportReceipts(held, 'read')
    await eventually(
      () => rows(db, lockWaits),
      (found) => found.length > 0,
    )
    await claiming.commit()
    await heard
    expect((await message(id)).status).toBe('read')
  })

  it('is settled on a number that is down, too', async () => {
    const { id, held, client, message } = await sendWithUnknownOutcome()
    await client.numbers.stop()
    await reportReceipts(held, 'delivered')
    expect((await message(id)).status).toBe('delivered')
  })
})

describe('a campaign whose messages timed out', () => {
  it('is completed by their receipts, and counts them', async () => {
    const { client, campaign } = await ground()
    const id = await campaign(3)
    const held = await take(3)
    await settle(held, timedOut)
    await reportReceipts(held.slice(1), 'delivered', 'read')
    expect(await client.campaigns.status({ id })).toMatchObject({ status: 'sending', stats: { read: 2, sent: 2 } })
    await reportReceipts(held.slice(0, 1), 'delivered')
    expect(await client.campaigns.status({ id })).toMatchObject({
      status: 'completed',
      stats: { total: 3, sent: 3, delivered: 3, read: 2, failed: 0 },
    })
  })

  it('continues with the others after a pause', async () => {
    const { client, campaign } = await ground()
    const id = await campaign(2)
    const [first = [], second = []] = (await take(2)).map((one) => [one])
    await settle([...first, ...second], timedOut)
    expect(await client.campaigns.pause({ id })).toMatchObject({ jobsRemoved: 0 })
    await reportReceipts(first, 'read')
    expect(await client.campaigns.status({ id })).toMatchObject({ status: 'paused', stats: { read: 1 } })
    expect(await client.campaigns.resume({ id })).toMatchObject({ jobsRequeued: 0 })
    await take(1)
    await reportReceipts(second, 'delivered')
    expect(await client.campaigns.status({ id })).toMatchObject({ status: 'completed', stats: { delivered: 2 } })
  })

  it('is complete when it resumes after receipts settled the rest', async () => {
    const { client, campaign } = await ground()
    const id = await campaign(1)
    const held = await take(1)
    await settle(held, timedOut)
    await client.campaigns.pause({ id })
    await reportReceipts(held, 'delivered')
    await client.campaigns.resume({ id })
    expect(await client.campaigns.status({ id })).toMatchObject({ status: 'completed' })
  })

  it('fails nothing that a receipt settled before it was cancelled', async () => {
    const { client, campaign, events } = await ground()
    const id = await campaign(2)
    const held = await take(2)
    await settle(held, timedOut)
    await client.campaigns.pause({ id })
    await reportReceipts(held.slice(0, 1), 'read')
    await client.campaigns.cancel({ id })
    await maintainCampaigns(services)
    expect((await events()).sort()).toEqual(['message.failed', 'message.read'])
    expect((await client.campaigns.status({ id })).stats).toMatchObject({ read: 1, failed: 1 })
  })

  it('is paused without waiting for receipts that settle its last message, which in turn wait for it', async () => {
    const { client, campaign, message } = await ground()
    const id = await campaign(1)
    const held = await take(1)
    await settle(held, timedOut)
    const receipts = await db.transaction()
    await rows(receipts, 'select id from messages where campaign_id = :id for update', { id })
    await client.campaigns.pause({ id }).finally(() => receipts.rollback())
    // What the pause passed by goes to a worker, who gives it back; then it waits as the others do.
    await server.advance(11)
    await settle(await take(1), () => ({ is: 'released' }))
    await take(0)
    expect((await message(held[0]?.id ?? '')).status).toBe('queued')
  })
})
