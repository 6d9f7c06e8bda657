import { describe, expect, it, onTestFinished } from 'vitest'
import { rows, transaction } from '#platform/db/db.ts'
import { pauseLane } from '#sending/messages/direct/direct-store.ts'
import { eventually } from '#testing/eventually.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { type TranscriptEntry, transcriptOf } from '#testing/sim.ts'
import { serveDatabase, startTestServer, type TestServer } from '#testing/start-server.ts'
import { sweepQueue } from './sweep.ts'
import { repairLanes } from './sweep-store.ts'

// Without a worker nothing leaves, so a test decides when a send begins.
const api = await startTestServer({ worker: false })
const organization = await makeOrganization(api)
const client = api.client(organization)

async function send(containerId: string, message: string, priority: 'high' | 'normal' | 'low' = 'normal') {
  const sent = await client.alert.send({ phone: '12025550121', message, priority, containerId })
  return sent.messageId
}

function textOf(entry: TranscriptEntry | undefined): string | undefined {
  return (entry?.content as { text: string } | undefined)?.text
}

/** Starts a worker that sends until the test is over. */
async function startSending(env: Record<string, string> = {}): Promise<TestServer> {
  const worker = await serveDatabase(api.db, api.databaseUrl, { env })
  onTestFinished(() => worker.stop())
  return worker
}

/** Whether these lanes are open. */
async function openLanes(containerIds: readonly string[]): Promise<boolean[]> {
  const found = await rows<{ id: string; open: boolean }>(
    api.db,
    'select container_id as id, open from lanes where container_id = any(:containerIds::uuid[])',
    { containerIds },
  )
  return containerIds.map((id) => found.find((lane) => lane.id === id)?.open ?? false)
}

async function statusOf(id: string) {
  return (await client.messages.get({ id })).message
}

describe('a lane', () => {
  it('holds its messages while its number is stopped, and sends them once it is started', async () => {
    const containerId = await makeNumber(api, organization)
    const id = await send(containerId, 'hello')
    await client.numbers.stop({ containerId })
    const worker = await startSending()
    await sweepQueue(worker.services)
    expect((await statusOf(id)).status).toBe('queued')
    await client.numbers.start({ containerId })
    await eventually(
      () => statusOf(id),
      (message) => message.status === 'delivered',
    )
  })

  it('fails what could not be sent for 24 hours because its number was down, and nothing sooner', async () => {
    const containerId = await makeNumber(api, organization)
    const id = await send(containerId, 'stale')
    await client.numbers.stop({ containerId })
    await api.advance(86_300)
    await sweepQueue(api.services)
    expect((await statusOf(id)).status).toBe('queued')
    await api.advance(200)
    await sweepQueue(api.services)
    expect(await statusOf(id)).toMatchObject({ status: 'failed', errorCode: 'MESSAGE_EXPIRED' })
  })

  it('is repaired by the sweep when it has lost track of a waiting message', async () => {
    const containerId = await makeNumber(api, organization)
    const id = await send(containerId, 'left behind')
    await rows(api.db, `update lanes set next_claim_at = 'infinity', open = false where container_id = :containerId`, {
      containerId,
    })
    await sweepQueue(api.services)
    await startSending()
    await eventually(
      () => statusOf(id),
      (message) => message.status === 'delivered',
    )
  })

  it('sends although a clock that was wrong closed its gate for three days', async () => {
    const containerId = await makeNumber(api, organization)
    const id = await send(containerId, 'behind the gate')
    await rows(
      api.db,
      `update lanes set next_send_at = service_now() + interval '3 days',
        next_claim_at = service_now() + interval '3 days'
        where container_id = :containerId`,
      { containerId },
    )
    await sweepQueue(api.services)
    await startSending({ UNSAFE_DISABLE_PACING: 'false' })
    await eventually(
      () => statusOf(id),
      (message) => message.status === 'delivered',
    )
  })

  it('pauses for an hour at most, so that no network closes it for days', async () => {
    const containerId = await makeNumber(api, organization)
    const { organizationId } = organization
    await pauseLane(api.db, organizationId, containerId, new Date(api.services.clock.now().getTime() + 3 * 86_400_000))
    const [gates] = await rows(
      api.db,
      `select extract(epoch from next_send_at - service_now())::float8 as texts,
              extract(epoch from next_campaign_send_at - service_now())::float8 as campaigns
         from lanes where container_id = :containerId`,
      { containerId },
    )
    expect(gates).toEqual({ texts: expect.closeTo(3600, -2), campaigns: expect.closeTo(3600, -2) })
  })

  it('is locked by the sweep only when it needs a repair', async () => {
    const right = await makeNumber(api, organization)
    const astray = await makeNumber(api, organization)
    for (const containerId of [right, astray]) await send(containerId, 'waits')
    await rows(api.db, `update lanes set open = container_id <> :astray where container_id in (:right, :astray)`, {
      right,
      astray,
    })
    // Of a row that was locked Postgres keeps who did it, also afterwards.
    const locked = () =>
      rows<{ id: string }>(
        api.db,
        `select container_id as id from lanes where container_id in (:right, :astray) and xmax::text <> '0'`,
        { right, astray },
      )
    expect(await locked()).toEqual([])
    await sweepQueue(api.services)
    expect(await locked()).toEqual([{ id: astray }])
    expect(await openLanes([right, astray])).toEqual([true, true])
  })

  it('is left to the next sweep while it is locked, and the sweep does not wait', async () => {
    const containerId = await makeNumber(api, organization)
    await rows(api.db, 'update lanes set open = false where container_id = :containerId', { containerId })
    const holding = await api.db.transaction()
    await rows(holding, 'select container_id from lanes where container_id = :containerId for update', { containerId })
    await sweepQueue(api.services).finally(() => holding.rollback())
    expect(await openLanes([containerId])).toEqual([false])
    await sweepQueue(api.services)
    expect(await openLanes([containerId])).toEqual([true])
  })

  it('is compared again once it is locked: a lane that is right by then does not change', async () => {
    const containerId = await makeNumber(api, organization)
    expect(await transaction(api.db, (trx) => repairLanes(trx, [containerId]))).toBe(0)
  })

  // Last, because a frozen clock stays frozen.
  it('sends a low message after normal ones that came with it, before normal ones of two minutes later', async () => {
    const containerId = await makeNumber(api, organization)
    await send(containerId, 'low', 'low')
    await send(containerId, 'early')
    await api.advance(121)
    await send(containerId, 'late')
    await send(containerId, 'urgent', 'high')
    await api.services.clock.freeze()
    const worker = await startSending({ UNSAFE_DISABLE_PACING: 'false' })
    const texts: (string | undefined)[] = []
    for (const expected of ['urgent', 'early', 'low', 'late']) {
      const entries = await eventually(
        () => transcriptOf(api, containerId),
        (seen) => seen.length === texts.length + 1,
      )
      texts.push(textOf(entries.at(-1)))
      expect(texts.at(-1)).toBe(expected)
      await worker.advance(1)
    }
  })
})
